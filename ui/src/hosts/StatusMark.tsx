import type { Host } from "../api/model";
import { text } from "../messages";
import { TimedText } from "../time/TimedText";
import { StatusGlyph } from "./StatusGlyph";
import styles from "./StatusMark.module.css";
import { hostTone, isHighlightedHost, reasonAfterWord } from "./status";

/** Status as shape, word and color, followed by its reason. */
export function StatusMark({ host }: { host: Pick<Host, "status" | "status_reason"> }) {
  const reason = reasonAfterWord(host);
  return (
    <span className={styles.mark}>
      <span
        className={styles.word}
        data-tone={hostTone(host.status)}
        data-highlighted={isHighlightedHost(host.status) || undefined}
      >
        <StatusGlyph status={host.status} />
        {text.status[host.status]}
      </span>
      {reason && (
        <span className={styles.reason}>
          <TimedText>{reason}</TimedText>
        </span>
      )}
    </span>
  );
}
