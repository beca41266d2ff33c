import type { LiveState } from "../api/live";
import { setPaused, usePaused } from "../api/live-pause";
import { text } from "../messages";
import { Tooltip } from "../parts/Tooltip";
import styles from "./Header.module.css";

/** State of live updates; a click pauses or resumes them. */
export function LiveDot({ state }: { state: LiveState }) {
  const isPaused = usePaused();
  const displayed = isPaused ? "paused" : state;
  return (
    <Tooltip label={text.frame.liveNote[displayed]}>
      <button
        type="button"
        className={`${styles.chip} ${styles.live}`}
        data-state={displayed}
        aria-label={text.frame.live[displayed]}
        aria-pressed={isPaused}
        aria-description={text.frame.liveNote[displayed]}
        onClick={() => setPaused(!isPaused)}
      >
        <span className={styles.dot} />
        <span role="status">{text.frame.live[displayed]}</span>
      </button>
    </Tooltip>
  );
}
