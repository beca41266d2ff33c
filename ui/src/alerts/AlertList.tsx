import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { keys } from "../api/keys";
import type { Alert } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { BulkActions } from "../bulk/BulkActions";
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
import { AlertDeliveries } from "./AlertDeliveries";
import { AlertJobsLink } from "./AlertJobsLink";
import { AlertSubject } from "./AlertSubject";
import styles from "./AlertsPage.module.css";
import { SeverityMark } from "./SeverityMark";
import { useSnooze } from "./useSnooze";

/** Channels rarely change. */
const FRESH_MS = 300_000;
const AlertsBulkDialog = lazy(() => import("./AlertsBulkDialog"));
const AlertDialogs = lazy(() => import("./AlertDialogs"));

/** List of alerts with severity, kind, subject, time and actions. */
export default function AlertList({ alerts }: { alerts: Alert[] }) {
  const [openDialog, setOpenDialog] = useState<{ action: "ack" | "resolve"; alert: Alert }>();
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
                {alert.status !== "resolved" && <AlertJobsLink alert={alert} />}
                {alert.is_flapping && <span className={styles.chip}>{alertText.flapping}</span>}
              </p>
              <p className={styles.text}>
                <TimedText>{alert.text}</TimedText>
              </p>
              <AlertStatus alert={alert} />
            </div>
            {alert.status !== "resolved" && (
              <Actions alert={alert} onAction={(action) => setOpenDialog({ action, alert })} />
            )}
          </li>
        ))}
      </ul>
      <BulkActions
        selection={selection}
        rows={open.map(({ id, kind, subject_name }) => ({ id, name: `${kindOf(kind)} ${subject_name}` }))}
        actions={bulkText.alerts.actions}
        refused={() => refusal(role, "operator")}
        dialog={(props) => <AlertsBulkDialog {...props} />}
      />
      {openDialog && (
        <Suspense>
          <AlertDialogs {...openDialog} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function kindOf(kind: string): string {
  return alertText.kinds[kind] ?? kind;
}

/** Whether the organization has a channel; true until the channels are loaded. */
function useHasChannels(): boolean {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: keys.channels(org.slug),
    queryFn: api.channels,
    staleTime: FRESH_MS,
  });
  return data?.items.length !== 0;
}

/** Notifications, acknowledgement, snooze and resolution of an alert. */
function AlertStatus({ alert }: { alert: Alert }) {
  const hasChannels = useHasChannels();
  const isSnoozed = alert.snoozed_until && Date.parse(alert.snoozed_until) > hubNow();
  return (
    <p className={styles.status}>
      {hasChannels ? (
        <>
          <span>{alert.notified_at ? alertText.sentAt : alertText.notSent}</span>
          {alert.notified_at && <Time at={alert.notified_at} />}
        </>
      ) : (
        <span>{alertText.noChannel}</span>
      )}
      <AlertDeliveries alert={alert} />
      {alert.acked_by && (
        <span>
          · {alertText.ackedBy(alert.acked_by)} <Time at={alert.acked_at} />
        </span>
      )}
      {alert.note && <q>{alert.note}</q>}
      {isSnoozed && (
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

function Actions({ alert, onAction }: { alert: Alert; onAction: (action: "ack" | "resolve") => void }) {
  const { role } = useSession();
  const refused = refusal(role, "operator");
  const snooze = useSnooze(alert.id);
  return (
    <div className={styles.actions}>
      {alert.status === "open" && (
        <GatedButton variant="default" refused={refused} onClick={() => onAction("ack")}>
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
      <GatedButton variant="subtle" refused={refused} onClick={() => onAction("resolve")}>
        {alertText.resolve}
      </GatedButton>
    </div>
  );
}
