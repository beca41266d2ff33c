import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton";
import styles from "./EmptyState.module.css";

interface Props {
  title: string;
  /** One sentence: what this is, or why there is none. */
  hint?: string | undefined;
  /** One thing to do about it. */
  action?: ReactNode;
  /** The line that does the same in a terminal. */
  cli?: string | undefined;
  children?: ReactNode;
}

/** What stands where nothing is. */
export function EmptyState({ title, hint, action, cli, children }: Props) {
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>{title}</h2>
      {hint && <p>{hint}</p>}
      {children}
      {action}
      {cli && (
        <div className={styles.cli}>
          <code>{cli}</code>
          <CopyButton value={cli} variant="subtle" />
        </div>
      )}
    </div>
  );
}
