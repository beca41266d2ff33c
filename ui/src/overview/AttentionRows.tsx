import { lazy, Suspense, useState } from "react";
import { SeverityMark } from "../alerts/AlertMark";
import { AlertSubject } from "../alerts/AlertSubject";
import { Concerned } from "../alerts/Concerned";
import { concernOf } from "../alerts/concerns";
import { useJobCount } from "../alerts/useJobCount";
import { useMute } from "../alerts/useMute";
import type { Alert } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { overviewText } from "../messages/overview";
import { GatedButton } from "../parts/GatedButton";
import { Time } from "../time/Time";
import { TimedText } from "../time/TimedText";
import styles from "./Attention.module.css";

const AlertDialogs = lazy(() => import("../alerts/AlertDialogs"));
const BulkDialog = lazy(() => import("../jobs/BulkDialog"));
const HOUR: [number, string] = [3600, "1 hour"];

/** One row per alert, with actions. */
export default function AttentionRows({ alerts }: { alerts: Alert[] }) {
  return (
    <ul className={styles.list}>
      {alerts.map((alert) => (
        <Row key={alert.id} alert={alert} />
      ))}
    </ul>
  );
}

function Row({ alert }: { alert: Alert }) {
  return (
    <li className={styles.row} data-severity={alert.severity}>
      <SeverityMark severity={alert.severity} />
      <div className={styles.what}>
        <p className={styles.head}>
          <strong>
            <AlertSubject alert={alert} />
          </strong>
          <span>{alertText.kinds[alert.kind] ?? alert.kind}</span>
          <span className="dim">
            <Time at={alert.since} />
          </span>
          <Concerned alert={alert} />
        </p>
        <p className={styles.text}>
          <TimedText>{alert.text}</TimedText>
        </p>
      </div>
      <Acts alert={alert} />
    </li>
  );
}

function Acts({ alert }: { alert: Alert }) {
  const { role } = useSession();
  const [asked, setAsked] = useState<"ack" | "retry">();
  const mute = useMute(alert.id);
  const refused = refusal(role, "operator");
  const close = () => setAsked(undefined);
  const concern = concernOf(alert);
  const isRetried = concern?.kind === "dead" || concern?.kind === "failed";
  return (
    <div className={styles.acts}>
      {isRetried && <RetryAll filter={concern.filter} refused={refused} onAsk={() => setAsked("retry")} />}
      <GatedButton
        variant="default"
        refused={refused}
        loading={mute.isPending}
        onClick={() => mute.mutate(HOUR)}
      >
        {alertText.snoozeHour}
      </GatedButton>
      <GatedButton variant="default" refused={refused} onClick={() => setAsked("ack")}>
        {alertText.ack}
      </GatedButton>
      <Suspense>
        {asked === "ack" && <AlertDialogs act="ack" alert={alert} onClose={close} />}
        {asked === "retry" && concern && (
          <BulkDialog action="retry" filter={concern.filter} onDone={close} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

interface RetryProps {
  filter: string;
  refused: string | undefined;
  onAsk: () => void;
}

function RetryAll({ filter, refused, onAsk }: RetryProps) {
  const found = useJobCount(filter);
  if (!found || found.count === 0) return null;
  return (
    <GatedButton variant="default" refused={refused} onClick={onAsk}>
      {overviewText.retryAll(found.count, found.isMore)}
    </GatedButton>
  );
}
