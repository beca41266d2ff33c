import { Link, type LinkProps } from "@tanstack/react-router";
import styles from "./Trail.module.css";

/** The way back to the list that a page belongs to. */
export function Trail({ to, label }: { to: NonNullable<LinkProps["to"]>; label: string }) {
  return (
    <nav className={styles.trail}>
      <Link to={to}>
        <span aria-hidden="true">← </span>
        {label}
      </Link>
    </nav>
  );
}
