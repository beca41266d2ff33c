import type { HostDetail, HostMark } from "../api/model";
import { hostText } from "../messages/host";
import { Time } from "../time/Time";
import styles from "./HostPage.module.css";

/** A host can be paused, marked and offline together. Shows the parts that its status does not. */
export function MarkNotes({ host }: { host: HostDetail }) {
  const { status, pause, degraded_mark: degradedMark, primary_hub: primaryHub } = host;
  return (
    <>
      {primaryHub && <p className={styles.note}>{hostText.host.mirrored(primaryHub)}</p>}
      {pause && status !== "paused" && <Note label={hostText.host.paused} mark={pause} />}
      {degradedMark && status !== "degraded" && <Note label={hostText.host.marked} mark={degradedMark} />}
    </>
  );
}

function Note({ label, mark }: { label: string; mark: HostMark }) {
  return (
    <p className={styles.note}>
      {label}
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
