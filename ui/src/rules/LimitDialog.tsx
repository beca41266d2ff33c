import { NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Limit } from "../api/model";
import { rulesText } from "../messages/rules";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { toast } from "../parts/toasts";
import { useRulesApi } from "./useRulesApi";

const words = rulesText.limits;

interface Props {
  limit?: Limit;
  onSet: (now: { items: Limit[] }) => void;
  onClose: () => void;
}

export function LimitDialog({ limit, onSet, onClose }: Props) {
  const api = useRulesApi();
  const [key, setKey] = useState(limit?.key ?? "");
  const [maxRunning, setMaxRunning] = useState<number | string>(limit?.max_running ?? "");
  const [rate, setRate] = useState<number | string>(limit?.jobs_per_minute ?? "");
  const trimmedKey = key.trim();
  return (
    <FormDialog
      title={limit ? words.changeTitle(limit.key) : words.addTitle}
      submit={limit ? words.saveDo : words.addDo}
      isReady={trimmedKey !== "" && (maxRunning !== "" || rate !== "")}
      onClose={onClose}
      onSubmit={async () => {
        onSet(
          await api.setLimit(trimmedKey, {
            max_running: boundOf(maxRunning),
            jobs_per_minute: boundOf(rate),
          }),
        );
        toast(words.set(trimmedKey));
        onClose();
      }}
    >
      {!limit && (
        <TextInput
          label={words.key}
          description={words.keyHint}
          required
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <div className={page.pair}>
        <NumberInput
          label={words.maxRunning}
          description={words.empty}
          min={1}
          allowDecimal={false}
          value={maxRunning}
          onChange={setMaxRunning}
        />
        <NumberInput
          label={words.perMinute}
          description={words.empty}
          min={1}
          allowDecimal={false}
          value={rate}
          onChange={setRate}
        />
      </div>
    </FormDialog>
  );
}

function boundOf(value: number | string): number | null {
  return typeof value === "number" ? value : null;
}
