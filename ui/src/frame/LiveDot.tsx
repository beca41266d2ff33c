import type { LiveState } from "../api/live";
import { setPaused, usePaused } from "../api/live-pause";
import { text } from "../messages";
import { Tip } from "../parts/Tip";
import styles from "./Header.module.css";

/** State of live updates; a click pauses or resumes them. */
export function LiveDot({ state }: { state: LiveState }) {
  const isPaused = usePaused();
  const shown = isPaused ? "paused" : state;
  return (
    <Tip label={text.frame.liveNote[shown]}>
      <button
        type="button"
        className={`${styles.chip} ${styles.live}`}
        data-state={shown}
        aria-label={text.frame.live[shown]}
        aria-pressed={isPaused}
        aria-description={text.frame.liveNote[shown]}
        onClick={() => setPaused(!isPaused)}
      >
        <span className={styles.dot} />
        <span role="status">{text.frame.live[shown]}</span>
      </button>
    </Tip>
  );
}
