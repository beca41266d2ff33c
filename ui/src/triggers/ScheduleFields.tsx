import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { triggerText } from "../messages/triggers";
import { ErrorBox } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { Segments } from "../parts/Segments";
import { Skeleton } from "../parts/Skeleton";
import { ZoneSelect } from "../parts/ZoneSelect";
import type { TriggerForm } from "./form";
import { NextRuns } from "./NextRuns";
import { cronOf, DAILY, type Simple, simpleOf } from "./simple";
import styles from "./TriggersPage.module.css";
import { usePreview } from "./usePreview";

const words = triggerText.editor;

interface Props {
  form: TriggerForm;
  onChange: (change: Partial<TriggerForm>) => void;
}

/** Schedule fields: simple form or cron expression. */
export function ScheduleFields({ form, onChange }: Props) {
  const simple = simpleOf(form.cron);
  const [isCron, setCron] = useState(simple === undefined);
  return (
    <>
      <Segments
        hasLabel
        label={words.frequency}
        value={isCron ? "cron" : "simple"}
        onChange={(next) => {
          setCron(next === "cron");
          if (next === "simple" && !simple) onChange({ cron: cronOf(DAILY) });
        }}
        choices={[
          { value: "simple", label: words.simple },
          { value: "cron", label: words.cron },
        ]}
      />
      {isCron ? (
        <TextInput
          label={words.cronLabel}
          description={words.cronHint}
          required
          spellCheck={false}
          value={form.cron}
          onChange={(event) => onChange({ cron: event.currentTarget.value })}
        />
      ) : (
        <SimpleFields simple={simple ?? DAILY} onChange={(next) => onChange({ cron: cronOf(next) })} />
      )}
      <ZoneSelect label={words.zone} value={form.timezone} onChange={(timezone) => onChange({ timezone })} />
    </>
  );
}

function SimpleFields({ simple, onChange }: { simple: Simple; onChange: (simple: Simple) => void }) {
  const set = (change: Partial<Simple>) => onChange({ ...simple, ...change });
  const { interval } = simple;
  return (
    <>
      <div className={page.pair}>
        <NativeSelect
          label={words.every}
          value={interval}
          onChange={(event) => set({ interval: event.currentTarget.value as Simple["interval"] })}
          data={Object.entries(words.intervals).map(([value, label]) => ({ value, label }))}
        />
        {interval === "minutes" && (
          <NativeSelect
            label={words.minutes}
            value={simple.minutes}
            onChange={(event) => set({ minutes: Number(event.currentTarget.value) })}
            data={[...new Set([1, 2, 5, 10, 15, 20, 30, simple.minutes])].sort((a, b) => a - b).map(String)}
          />
        )}
        {interval === "hour" && (
          <NumberInput
            label={words.minute}
            min={0}
            max={59}
            allowDecimal={false}
            value={Number(simple.at.slice(3))}
            onChange={(minute) => set({ at: `00:${String(minute || 0).padStart(2, "0")}` })}
          />
        )}
        {interval === "month" && (
          <NumberInput
            label={words.monthDay}
            min={1}
            max={31}
            allowDecimal={false}
            value={simple.monthDay}
            onChange={(day) => set({ monthDay: Number(day) || 1 })}
          />
        )}
        {(interval === "day" || interval === "week" || interval === "month") && (
          <TextInput
            type="time"
            label={words.at}
            value={simple.at}
            onChange={(event) => event.currentTarget.value && set({ at: event.currentTarget.value })}
          />
        )}
      </div>
      {interval === "week" && (
        <fieldset className={styles.weekdays}>
          <legend>{words.days}</legend>
          {words.weekdays.map((name, day) => (
            <button
              key={name}
              type="button"
              className={styles.weekday}
              aria-pressed={simple.weekdays.includes(day)}
              onClick={() => set({ weekdays: toggleDay(simple.weekdays, day) })}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Toggles a weekday; the last selected day cannot be removed. */
function toggleDay(days: number[], day: number): number[] {
  const next = days.includes(day) ? days.filter((each) => each !== day) : [...days, day];
  return next.length === 0 ? days : next;
}

export function SchedulePreview({ cron, timezone }: { cron: string; timezone: string }) {
  const preview = usePreview(cron, timezone);
  return (
    <Panel title={triggerText.nextTen}>
      {cron.trim() === "" && <p className="dim">{words.previewWait}</p>}
      {preview.error && <ErrorBox error={preview.error} />}
      {preview.data && !preview.error && (
        <>
          <NextRuns preview={preview.data.preview} changes={preview.data.changes} />
          {preview.data.changes.length === 0 && <p className="faint small">{triggerText.noClockChange}</p>}
        </>
      )}
      {preview.isLoading && <Skeleton rows={5} />}
    </Panel>
  );
}
