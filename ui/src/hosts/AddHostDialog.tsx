import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { JoinTokenCreated } from "../api/model";
import { useSession } from "../app/session";
import { isLoopback } from "../frame/loopback";
import { hostText } from "../messages/host";
import { Dialog } from "../parts/Dialog";
import { ErrorBox } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Warning } from "../parts/Warning";
import { JoinCommand } from "./JoinCommand";
import { parseLabels } from "./labels";

const words = hostText.add;
const MODES = { ask: null, yes: true, no: false } as const;

export default function AddHostDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<JoinTokenCreated>();
  return (
    <Dialog title={words.title} onClose={onClose} size={560}>
      <div className={page.form}>
        {isLoopback(location.hostname) && <Warning title={words.loopback}>{words.loopbackHint}</Warning>}
        {created ? (
          <JoinCommand token={created} onAnother={() => setCreated(undefined)} onClose={onClose} />
        ) : (
          <TokenForm onCreated={setCreated} />
        )}
      </div>
    </Dialog>
  );
}

function TokenForm({ onCreated }: { onCreated: (token: JoinTokenCreated) => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const [uses, setUses] = useState<number | string>(1);
  const [ttl, setTtl] = useState(900);
  const [written, setWritten] = useState("");
  const [mode, setMode] = useState<keyof typeof MODES>("ask");
  const parsed = parseLabels(written);

  const create = useMutation({
    mutationFn: api.createJoinToken,
    onSuccess: (token) => {
      void client.invalidateQueries({ queryKey: keys.joinTokens(org.slug) });
      onCreated(token);
    },
  });

  return (
    <form
      className={page.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!parsed.labels || typeof uses !== "number") return;
        create.mutate({ uses, ttl_seconds: ttl, labels: parsed.labels, always_on: MODES[mode] });
      }}
    >
      <p className="dim">{words.intro}</p>
      <div className={page.pair}>
        <NumberInput
          label={words.uses}
          min={1}
          max={1000}
          allowDecimal={false}
          value={uses}
          onChange={setUses}
        />
        <NativeSelect
          label={words.ttl}
          value={ttl}
          onChange={(event) => setTtl(Number(event.currentTarget.value))}
          data={words.ttls.map(([value, label]) => ({ value: String(value), label }))}
        />
      </div>
      <TextInput
        label={words.labels}
        description={words.labelsNote}
        placeholder="env=prod, zone=attic"
        spellCheck={false}
        value={written}
        error={parsed.problem}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.mode}
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value as keyof typeof MODES)}
        data={[
          { value: "ask", label: words.modeAsk },
          { value: "yes", label: words.modeYes },
          { value: "no", label: words.modeNo },
        ]}
      />
      {create.error && <ErrorBox error={create.error} />}
      <div className={page.formEnd}>
        <Button
          type="submit"
          loading={create.isPending}
          disabled={!parsed.labels || typeof uses !== "number"}
          data-autofocus
        >
          {words.make}
        </Button>
      </div>
    </form>
  );
}
