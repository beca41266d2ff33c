import { Link, type LinkProps } from "@tanstack/react-router";
import styles from "./Breadcrumb.module.css";

/** Breadcrumb link to the list of a page. */
export function Breadcrumb({ to, label }: { to: NonNullable<LinkProps["to"]>; label: string }) {
  return (
    <nav className={styles.breadcrumb}>
      <Link to={to}>
        <span aria-hidden="true">← </span>
        {label}
      </Link>
    </nav>
  );
}
