import type { HostDetail, HostMark } from "../api/model";
import { text } from "../messages";
import { Time } from "../time/Time";
import styles from "./HostPage.module.css";

/** A pause and a mark can hold at once; the status shows only one of them. */
export function MarkNotes({ host }: { host: HostDetail }) {
  return (
    <>
      {host.pause && <Note what={text.host.paused} mark={host.pause} />}
      {host.degrade && <Note what={text.host.marked} mark={host.degrade} />}
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
