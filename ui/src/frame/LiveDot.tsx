import { Tooltip } from "@mantine/core";
import type { LiveState } from "../api/live";
import { text } from "../messages";
import styles from "./Header.module.css";

export function LiveDot({ state }: { state: LiveState }) {
  return (
    <Tooltip label={text.frame.liveNote[state]}>
      <span className={styles.live} data-state={state} role="status">
        <span className={styles.dot} />
        {text.frame.live[state]}
      </span>
    </Tooltip>
  );
}
