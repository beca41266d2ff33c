import type { HostDetail, HostMark } from "../api/model";
import { hostText } from "../messages/host";
import { Time } from "../time/Time";
import styles from "./HostPage.module.css";

/** A host can be paused, marked and offline together. Shows the parts that its status does not. */
export function MarkNotes({ host }: { host: HostDetail }) {
  const { status, pause, degrade, primary_hub: primaryHub } = host;
  return (
    <>
      {primaryHub && <p className={styles.note}>{hostText.host.mirror(primaryHub)}</p>}
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
