import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import type { JoinTokenRequest } from "../api/model";
import { hostText } from "../messages/host";
import page from "../parts/Page.module.css";
import { parseLabels } from "./labels";

const words = hostText.add;
const MODES = { ask: null, yes: true, no: false } as const;

interface Props {
  isBusy: boolean;
  onCreate: (request: JoinTokenRequest) => void;
}

/** Form for a join command: number of machines, validity, labels and mode. */
export function JoinTokenForm({ isBusy, onCreate }: Props) {
  const [uses, setUses] = useState<number | string>(1);
  const [ttl, setTtl] = useState(900);
  const [text, setText] = useState("");
  const [mode, setMode] = useState<keyof typeof MODES>("ask");
  const parsed = parseLabels(text);

  return (
    <form
      className={page.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!parsed.labels || typeof uses !== "number") return;
        onCreate({ uses, ttl_seconds: ttl, labels: parsed.labels, always_on: MODES[mode] });
      }}
    >
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
        placeholder={words.labelsSample}
        spellCheck={false}
        value={text}
        error={parsed.problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.mode}
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value as keyof typeof MODES)}
        data={[
          { value: "ask", label: words.modeDetect },
          { value: "yes", label: words.modeYes },
          { value: "no", label: words.modeNo },
        ]}
      />
      <div className={page.formEnd}>
        <Button
          type="submit"
          loading={isBusy}
          disabled={!parsed.labels || typeof uses !== "number"}
          data-autofocus
        >
          {words.make}
        </Button>
      </div>
    </form>
  );
}
