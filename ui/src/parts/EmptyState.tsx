import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton";
import styles from "./EmptyState.module.css";

interface Props {
  title: string;
  /** One sentence that explains the list. */
  hint?: string | undefined;
  /** Button that creates the first item. */
  action?: ReactNode;
  /** The equivalent CLI command. */
  cli?: string | undefined;
  children?: ReactNode;
}

/** Placeholder of an empty list. */
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
