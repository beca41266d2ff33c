import type { Preview } from "../api/model";
import { triggerText } from "../messages/triggers";
import { Icon } from "../parts/Icon";
import { useNow } from "../time/clock";
import { absolute, relative } from "../time/format";
import { useZoneName } from "../time/zone";
import styles from "./TriggersPage.module.css";

/** Next runs of a schedule in its zone and the viewer's zone, with affected clock changes. */
export function NextRuns({ preview, changes }: { preview: Preview; changes: Preview["clock_changes"] }) {
  const now = useNow();
  const viewer = useZoneName();
  return (
    <>
      <p className="dim">
        <span className={styles.words}>{preview.description}</span> · {preview.timezone}
      </p>
      <ol className={styles.times}>
        {preview.times.map(({ at }) => {
          const instant = Date.parse(at);
          return (
            <li key={at} className={styles.time}>
              <time dateTime={at} data-zone={preview.timezone}>
                {formatRun(instant, preview.timezone)}
              </time>
              <span className="dim">{relative(instant, now)}</span>
              {viewer !== preview.timezone && (
                <span className={styles.viewerTime}>
                  {triggerText.inYourZone(absolute(instant, viewer, now))}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {changes.map(({ at, text }) => (
        <p key={at} className={styles.change}>
          <Icon name="clock" />
          <span>
            <strong>
              {triggerText.clockChange} {formatRun(Date.parse(at), preview.timezone, true)}
            </strong>
            : {text}
          </span>
        </p>
      ))}
    </>
  );
}

/** "Mon 16 Nov 02:00". */
function formatRun(instant: number, zone: string, isDay = false): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(isDay ? { year: "numeric" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  })
    .format(instant)
    .replace(",", "");
}
