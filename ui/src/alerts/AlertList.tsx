import { Button } from "@mantine/core";
import { lazy, Suspense, useMemo, useState } from "react";
import type { Alert } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { BulkActs } from "../bulk/BulkActs";
import { alertText } from "../messages/alerts";
import { bulkText } from "../messages/bulk";
import { CheckRow } from "../parts/CheckRow";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import { Menu, MenuItem } from "../parts/Menu";
import { useSelection } from "../parts/useSelection";
import { hubNow } from "../time/clock";
import { Time } from "../time/Time";
import { TimedText } from "../time/TimedText";
import { SeverityMark } from "./AlertMark";
import { AlertSubject } from "./AlertSubject";
import styles from "./AlertsPage.module.css";
import { Concerned } from "./Concerned";
import { SentTo } from "./SentTo";
import { useMute } from "./useMute";

const AlertsBulkDialog = lazy(() => import("./AlertsBulkDialog"));
const AlertDialogs = lazy(() => import("./AlertDialogs"));

/** List of alerts with severity, kind, subject, time and actions. */
export default function AlertList({ alerts }: { alerts: Alert[] }) {
  const [asked, setAsked] = useState<{ act: "ack" | "resolve"; alert: Alert }>();
  const { role } = useSession();
  const open = useMemo(() => alerts.filter(({ status }) => status !== "resolved"), [alerts]);
  const selection = useSelection(useMemo(() => open.map(({ id }) => id), [open]));
  return (
    <>
      <ul className={styles.list}>
        {alerts.map((alert) => (
          <li key={alert.id} className={styles.alert} data-status={alert.status}>
            {alert.status === "resolved" ? (
              <SeverityMark severity={alert.severity} />
            ) : (
              <span className={styles.chosen}>
                <CheckRow selection={selection} id={alert.id} name={alert.subject_name} />
                <SeverityMark severity={alert.severity} />
              </span>
            )}
            <div className={styles.body}>
              <p className={styles.head}>
                <strong>{kindOf(alert.kind)}</strong>
                <AlertSubject alert={alert} />
                <span className="dim">
                  <Time at={alert.since} />
                </span>
                {alert.status !== "resolved" && <Concerned alert={alert} />}
                {alert.is_flapping && <span className={styles.chip}>{alertText.flapping}</span>}
              </p>
              <p className={styles.text}>
                <TimedText>{alert.text}</TimedText>
              </p>
              <Story alert={alert} />
            </div>
            {alert.status !== "resolved" && (
              <Actions alert={alert} onAsk={(act) => setAsked({ act, alert })} />
            )}
          </li>
        ))}
      </ul>
      <BulkActs
        selection={selection}
        rows={open.map(({ id, kind, subject_name }) => ({ id, name: `${kindOf(kind)} ${subject_name}` }))}
        acts={bulkText.alerts.acts}
        refused={() => refusal(role, "operator")}
        dialog={(props) => <AlertsBulkDialog {...props} />}
      />
      {asked && (
        <Suspense>
          <AlertDialogs {...asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function kindOf(kind: string): string {
  return alertText.kinds[kind] ?? kind;
}

/** Notifications, acknowledgement, mute and resolution of an alert. */
function Story({ alert }: { alert: Alert }) {
  const isQuiet = alert.snoozed_until && Date.parse(alert.snoozed_until) > hubNow();
  return (
    <p className={styles.story}>
      <span>{alert.told_at ? alertText.told : alertText.untold}</span>
      {alert.told_at && <Time at={alert.told_at} />}
      <SentTo alert={alert} />
      {alert.acked_by && (
        <span>
          · {alertText.ackedBy(alert.acked_by)} <Time at={alert.acked_at} />
        </span>
      )}
      {alert.note && <q>{alert.note}</q>}
      {isQuiet && (
        <span>
          · {alertText.snoozedUntil} <Time at={alert.snoozed_until} exact />
        </span>
      )}
      {alert.resolved_at && (
        <span>
          · {alertText.status.resolved} <Time at={alert.resolved_at} />{" "}
          {alert.resolved_reason && alertText.resolvedWhy(alert.resolved_reason)}
        </span>
      )}
    </p>
  );
}

function Actions({ alert, onAsk }: { alert: Alert; onAsk: (act: "ack" | "resolve") => void }) {
  const { role } = useSession();
  const refused = refusal(role, "operator");
  const snooze = useMute(alert.id);
  return (
    <div className={styles.actions}>
      {alert.status === "open" && (
        <GatedButton variant="default" refused={refused} onClick={() => onAsk("ack")}>
          {alertText.ack}
        </GatedButton>
      )}
      {refused ? (
        <GatedButton variant="default" refused={refused}>
          {alertText.snooze}
        </GatedButton>
      ) : (
        <Menu
          label={alertText.snooze}
          opener={(props) => (
            <Button
              {...props}
              variant="default"
              rightSection={<Icon name="chevron" />}
              loading={snooze.isPending}
            >
              {alertText.snooze}
            </Button>
          )}
        >
          {alertText.snoozes.map((choice) => (
            <MenuItem key={choice[0]} onClick={() => snooze.mutate(choice)}>
              {choice[1]}
            </MenuItem>
          ))}
        </Menu>
      )}
      <GatedButton variant="subtle" refused={refused} onClick={() => onAsk("resolve")}>
        {alertText.resolve}
      </GatedButton>
    </div>
  );
}
