import type { HostDetail, HostMark } from "../api/model";
import { hostText } from "../messages/host";
import { Time } from "../time/Time";
import styles from "./HostPage.module.css";

/** A pause and a mark can hold at once, and a host can be offline too: here stands what the status does not say. */
export function MarkNotes({ host }: { host: HostDetail }) {
  const { status, pause, degrade, home } = host;
  return (
    <>
      {home && <p className={styles.note}>{hostText.host.mirror(home)}</p>}
      {pause && status !== "paused" && <Note what={hostText.host.paused} mark={pause} />}
      {degrade && status !== "degraded" && <Note what={hostText.host.marked} mark={degrade} />}
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
          {hostText.host.endsAt} <Time at={mark.until} />
        </>
      )}
    </p>
  );
}
