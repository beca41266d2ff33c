import { Link, type LinkProps } from "@tanstack/react-router";
import styles from "./Tabs.module.css";

interface Item {
  to: NonNullable<LinkProps["to"]>;
  label: string;
  count?: number | undefined;
}

/** Links to related pages, shown as tabs. */
export function Tabs({ label, items }: { label: string; items: Item[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {items.map(({ to, label: name, count }) => (
        <Link key={to} to={to} className={styles.tab} activeOptions={{ exact: true, includeSearch: false }}>
          {name}
          {count !== undefined && count > 0 && <span className={`${styles.count} num`}>{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
