import "../styles/mantine-forms";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { PingCreated } from "../api/model";
import { useSession } from "../app/session";
import { pingText } from "../messages/pings";
import { Dialog } from "../parts/Dialog";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { Secret } from "../parts/Secret";
import { Segments } from "../parts/Segments";
import { curlAround, curlLine } from "./curl";
import { usePingApi } from "./usePingApi";

const words = pingText;

export default function PingDialog({ onClose }: { onClose: () => void }) {
  const { org } = useSession();
  const api = usePingApi();
  const client = useQueryClient();
  const [label, setLabel] = useState("");
  const [by, setBy] = useState<"period" | "clock">("period");
  const [period, setPeriod] = useState(86_400);
  const [cron, setCron] = useState("0 2 * * *");
  const [grace, setGrace] = useState(3600);
  const [created, setCreated] = useState<PingCreated>();

  if (created) return <Address created={created} onClose={onClose} />;
  return (
    <FormDialog
      title={words.addTitle}
      submit={words.addDo}
      isReady={label.trim() !== "" && (by === "period" || cron.trim() !== "")}
      onClose={onClose}
      onSubmit={async () => {
        const when =
          by === "period" ? { period_seconds: period } : { cron_expr: cron.trim(), timezone: org.timezone };
        setCreated(await api.createPing({ label: label.trim(), grace_seconds: grace, ...when }));
        void client.invalidateQueries({ queryKey: keys.pings(org.slug) });
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
      <Segments
        hasLabel
        label={words.expected}
        value={by}
        onChange={setBy}
        choices={[
          { value: "period", label: words.period },
          { value: "clock", label: words.onSchedule },
        ]}
      />
      {by === "clock" && (
        <TextInput
          label={words.cron}
          description={`${words.cronHint} · ${org.timezone}`}
          spellCheck={false}
          value={cron}
          onChange={(event) => setCron(event.currentTarget.value)}
        />
      )}
      <div className={page.pair}>
        {by === "period" && (
          <NativeSelect
            label={words.periodLabel}
            value={period}
            onChange={(event) => setPeriod(Number(event.currentTarget.value))}
            data={words.periods.map(([value, label]) => ({ value: String(value), label }))}
          />
        )}
        <NativeSelect
          label={words.grace}
          value={grace}
          onChange={(event) => setGrace(Number(event.currentTarget.value))}
          data={words.graces.map(([value, label]) => ({ value: String(value), label }))}
        />
      </div>
    </FormDialog>
  );
}

function Address({ created, onClose }: { created: PingCreated; onClose: () => void }) {
  return (
    <Dialog title={created.ping.label} onClose={onClose} size={560}>
      <div className={page.form}>
        <Secret label={words.url} value={created.url} note={words.urlNote} />
        <Secret label={words.curl} value={curlLine(created.url)} />
        <Secret label={words.curlBoth} value={curlAround(created.url)} />
      </div>
    </Dialog>
  );
}
