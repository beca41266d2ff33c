import "../styles/mantine-forms";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { MaintenanceWindowRequest } from "../api/model";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { FormDialog } from "../parts/FormDialog";
import { Segments } from "../parts/Segments";
import { toast } from "../parts/toasts";
import { TargetField } from "../run/TargetField";
import { ANY_TARGET, isTargetComplete, jobTargetOf, type TargetForm } from "../run/target";
import { hubNow } from "../time/clock";
import { instantOf, localTimeOf } from "../time/local";
import { useZoneName } from "../time/zone";

const words = alertText.window;

export default function WindowDialog({ onClose }: { onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const zone = useZoneName();
  const [label, setLabel] = useState("");
  const [targetForm, setTargetForm] = useState<TargetForm>(ANY_TARGET);
  const [when, setWhen] = useState<"now" | "once" | "recurring">("now");
  const [starts, setStarts] = useState(() => localTimeOf(hubNow() + 3_600_000, zone));
  const [cron, setCron] = useState("0 22 * * 6");
  const [seconds, setSeconds] = useState(3600);

  const request = (): MaintenanceWindowRequest => {
    const target = jobTargetOf(targetForm);
    const common = { label: label.trim(), host: target?.host ?? null, selector: target?.selector ?? null };
    if (when === "recurring")
      return { ...common, cron_expr: cron.trim(), timezone: org.timezone, duration_seconds: seconds };
    const startsAt = when === "now" ? hubNow() : Date.parse(instantOf(starts, zone));
    return {
      ...common,
      ...(when === "once" ? { starts_at: new Date(startsAt).toISOString() } : {}),
      ends_at: new Date(startsAt + seconds * 1000).toISOString(),
    };
  };

  return (
    <FormDialog
      title={words.addTitle}
      effect={words.noneHint}
      submit={words.addDo}
      isReady={label.trim() !== "" && isTargetComplete(targetForm)}
      onClose={onClose}
      onSubmit={async () => {
        await api.createWindow(request());
        void client.invalidateQueries({ queryKey: keys.windows(org.slug) });
        toast(words.added(label.trim()));
        onClose();
      }}
    >
      <TextInput
        label={words.label}
        description={words.labelHint}
        required
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        data-autofocus
      />
      <TargetField
        target={targetForm}
        onChange={setTargetForm}
        words={{
          label: words.scope,
          any: words.everything,
          host: words.host,
          selector: words.selector,
          noMatch: words.noMatch,
        }}
      />
      <Segments
        hasLabel
        label={words.when}
        value={when}
        onChange={setWhen}
        choices={[
          { value: "now", label: words.now },
          { value: "once", label: words.once },
          { value: "recurring", label: words.recurring },
        ]}
      />
      {when === "once" && (
        <TextInput
          type="datetime-local"
          label={words.starts}
          description={zone}
          value={starts}
          onChange={(event) => setStarts(event.currentTarget.value)}
        />
      )}
      {when === "recurring" && (
        <TextInput
          label={words.cron}
          description={`${words.cronHint} · ${org.timezone}`}
          value={cron}
          onChange={(event) => setCron(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        label={words.length}
        value={seconds}
        onChange={(event) => setSeconds(Number(event.currentTarget.value))}
        data={words.lengths.map(([value, label]) => ({ value: String(value), label }))}
      />
    </FormDialog>
  );
}
