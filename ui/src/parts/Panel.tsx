import type { ReactNode } from "react";
import styles from "./Panel.module.css";

interface Props {
  title: string;
  aside?: ReactNode;
  /** Spans two of three columns. */
  isWide?: boolean;
  children: ReactNode;
}

export function Panel({ title, aside, isWide = false, children }: Props) {
  return (
    <section className={styles.panel} data-wide={isWide || undefined} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** Definition list with one row per name and value. */
export function DetailList({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
