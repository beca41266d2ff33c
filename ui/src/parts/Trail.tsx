import { Link, type LinkProps } from "@tanstack/react-router";
import styles from "./Trail.module.css";

/** Breadcrumb link to the list of a page. */
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
