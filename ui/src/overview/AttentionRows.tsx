import { lazy, Suspense, useState } from "react";
import { AlertJobsLink } from "../alerts/AlertJobsLink";
import { AlertSubject } from "../alerts/AlertSubject";
import { jobsOfAlert } from "../alerts/alert-jobs";
import { SeverityMark } from "../alerts/SeverityMark";
import { useJobCount } from "../alerts/useJobCount";
import { useSnooze } from "../alerts/useSnooze";
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
      <div className={styles.body}>
        <p className={styles.head}>
          <strong>
            <AlertSubject alert={alert} />
          </strong>
          <span>{alertText.kinds[alert.kind] ?? alert.kind}</span>
          <span className="dim">
            <Time at={alert.since} />
          </span>
          <AlertJobsLink alert={alert} />
        </p>
        <p className={styles.text}>
          <TimedText>{alert.text}</TimedText>
        </p>
      </div>
      <Actions alert={alert} />
    </li>
  );
}

function Actions({ alert }: { alert: Alert }) {
  const { role } = useSession();
  const [openDialog, setOpenDialog] = useState<"ack" | "retry">();
  const snooze = useSnooze(alert.id);
  const refused = refusal(role, "operator");
  const close = () => setOpenDialog(undefined);
  const alertJobs = jobsOfAlert(alert);
  const canRetry = alertJobs?.kind === "dead" || alertJobs?.kind === "failed";
  return (
    <div className={styles.actions}>
      {canRetry && (
        <RetryAll filter={alertJobs.filter} refused={refused} onRetry={() => setOpenDialog("retry")} />
      )}
      <GatedButton
        variant="default"
        refused={refused}
        loading={snooze.isPending}
        onClick={() => snooze.mutate(HOUR)}
      >
        {alertText.snoozeHour}
      </GatedButton>
      <GatedButton variant="default" refused={refused} onClick={() => setOpenDialog("ack")}>
        {alertText.ack}
      </GatedButton>
      <Suspense>
        {openDialog === "ack" && <AlertDialogs action="ack" alert={alert} onClose={close} />}
        {openDialog === "retry" && alertJobs && (
          <BulkDialog action="retry" filter={alertJobs.filter} onDone={close} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

interface RetryProps {
  filter: string;
  refused: string | undefined;
  onRetry: () => void;
}

function RetryAll({ filter, refused, onRetry }: RetryProps) {
  const counted = useJobCount(filter);
  if (!counted || counted.count === 0) return null;
  return (
    <GatedButton variant="default" refused={refused} onClick={onRetry}>
      {overviewText.retryAll(counted.count, counted.isMore)}
    </GatedButton>
  );
}
