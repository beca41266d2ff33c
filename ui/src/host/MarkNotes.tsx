import type { HostDetail, HostMark } from "../api/model";
import { text } from "../messages";
import { Time } from "../time/Time";
import styles from "./HostPage.module.css";

/** A pause and a mark can hold at once, and a host can be offline too: here stands what the status does not say. */
export function MarkNotes({ host }: { host: HostDetail }) {
  const { status, pause, degrade } = host;
  return (
    <>
      {pause && status !== "paused" && <Note what={text.host.paused} mark={pause} />}
      {degrade && status !== "degraded" && <Note what={text.host.marked} mark={degrade} />}
    </>
  );
}

function Note({ what, mark }: { what: string; mark: HostMark }) {
  return (
    <p className={styles.note}>
      {what}
      {mark.note && `: ${mark.note}`}
      {mark.until && (
        <>
          {" · "}
          {text.host.endsAt} <Time at={mark.until} />
        </>
      )}
    </p>
  );
}
