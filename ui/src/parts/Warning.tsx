import type { ReactNode } from "react";
import { Icon } from "./Icon";
import styles from "./Warning.module.css";

export function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.warning} role="note">
      <Icon name="alert" />
      <p>
        <strong>{title}</strong> {children}
      </p>
    </div>
  );
}
