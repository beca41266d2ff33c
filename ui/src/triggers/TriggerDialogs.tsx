import "../styles/mantine-forms";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Trigger } from "../api/model";
import { useSession } from "../app/session";
import { triggerText } from "../messages/triggers";
import { FormDialog } from "../parts/FormDialog";
import { toast, toastWithLink } from "../parts/toasts";
import { hubNow } from "../time/clock";
import { instantOf, localTimeOf } from "../time/local";
import { useZoneName } from "../time/zone";
import { useTriggerChange } from "./useTriggerChange";

export type TriggerAction = "fire" | "pause" | "backfill" | "remove";

interface Props {
  trigger: Trigger;
  onClose: () => void;
}

export default function TriggerDialogs({ action, ...props }: Props & { action: TriggerAction }) {
  if (action === "fire") return <FireDialog {...props} />;
  if (action === "pause") return <PauseDialog {...props} />;
  if (action === "backfill") return <BackfillDialog {...props} />;
  return <RemoveDialog {...props} />;
}

/** Returns a function that shows a toast with the created jobs and a link to them. */
export function useFiredToast() {
  const { org } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (jobs: string[], refused: string[]) => {
    for (const queryKey of [keys.triggers(org.slug), keys.jobs(org.slug), keys.jobSummary(org.slug)]) {
      void client.invalidateQueries({ queryKey });
    }
    const [job] = jobs;
    if (job) {
      toastWithLink(triggerText.fired(jobs.length), triggerText.firedShow(jobs.length), () => {
        void navigate(
          jobs.length === 1
            ? { to: "/jobs/$job", params: { job } }
            : { to: "/jobs", search: { filter: `id:${jobs.slice(0, 60).join(",")}` } },
        );
      });
    }
    if (refused[0]) toast(triggerText.fireRejected(refused[0]));
  };
}

function FireDialog({ trigger, onClose }: Props) {
  const { api } = useSession();
  const fired = useFiredToast();
  return (
    <FormDialog
      title={triggerText.fireTitle(trigger.label)}
      effect={triggerText.fireEffect}
      submit={triggerText.fireDo}
      onClose={onClose}
      onSubmit={async () => {
        const result = await api.fireTrigger(trigger.id);
        fired(result.jobs, result.refused);
        onClose();
      }}
    />
  );
}

function PauseDialog({ trigger, onClose }: Props) {
  const { api } = useSession();
  const apply = useTriggerChange();
  const [seconds, setSeconds] = useState(3600);
  return (
    <FormDialog
      title={triggerText.pauseTitle(trigger.label)}
      effect={triggerText.pauseEffect}
      submit={triggerText.pauseDo}
      onClose={onClose}
      onSubmit={async () => {
        const paused_until = new Date(hubNow() + seconds * 1000).toISOString();
        apply(await api.patchTrigger(trigger.id, { paused_until }));
        toast(triggerText.pausedToast(trigger.label));
        onClose();
      }}
    >
      <NativeSelect
        label={triggerText.pauseFor}
        value={seconds}
        onChange={(event) => setSeconds(Number(event.currentTarget.value))}
        data={triggerText.pauseDurations.map(([value, label]) => ({ value: String(value), label }))}
        data-autofocus
      />
    </FormDialog>
  );
}

const WEEK_MS = 7 * 86_400_000;

function BackfillDialog({ trigger, onClose }: Props) {
  const { org, api } = useSession();
  const fired = useFiredToast();
  const zone = useZoneName();
  const [from, setFrom] = useState(() => localTimeOf(hubNow() - WEEK_MS, zone));
  const [until, setUntil] = useState(() => localTimeOf(hubNow(), zone));
  const isReady = from !== "" && until !== "" && from < until;
  const body = () => ({ from: instantOf(from, zone), until: instantOf(until, zone) });
  const preview = useQuery({
    queryKey: [...keys.trigger(org.slug, trigger.id), "backfill", { from, until, zone }],
    queryFn: () => api.backfill(trigger.id, { ...body(), dry_run: true }),
    enabled: isReady,
    retry: false,
  });
  const found = preview.data?.times.length ?? 0;
  return (
    <FormDialog
      title={triggerText.backfillTitle(trigger.label)}
      effect={
        preview.data ? triggerText.backfillFound(found, preview.data.done_before) : preview.error?.message
      }
      submit={triggerText.backfillDo(found)}
      isReady={found > 0}
      onClose={onClose}
      onSubmit={async () => {
        fired((await api.backfill(trigger.id, { ...body(), dry_run: false })).jobs, []);
        onClose();
      }}
    >
      <TextInput
        type="datetime-local"
        label={triggerText.backfillFrom}
        description={zone}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        type="datetime-local"
        label={triggerText.backfillUntil}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function RemoveDialog({ trigger, onClose }: Props) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={triggerText.removeTitle(trigger.label)}
      effect={triggerText.removeEffect}
      submit={triggerText.removeDo}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await api.removeTrigger(trigger.id);
        await navigate({ to: "/triggers" });
        client.removeQueries({ queryKey: keys.trigger(org.slug, trigger.id) });
        void client.invalidateQueries({ queryKey: keys.triggers(org.slug) });
        toast(triggerText.removed(trigger.label));
      }}
    />
  );
}
