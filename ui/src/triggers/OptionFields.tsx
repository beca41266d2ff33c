import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { triggerText } from "../messages/triggers";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { Segments } from "../parts/Segments";
import type { TriggerForm } from "./form";

const words = triggerText.editor;

interface Props {
  form: TriggerForm;
  onChange: (change: Partial<TriggerForm>) => void;
  zone: string;
}

const wholeNumber = (set: (value: number) => void) => (value: number | string) => {
  if (typeof value === "number") set(value);
};

/** Options for missed runs, overlaps, delay, priority and start and end. */
export function OptionFields({ form, onChange, zone }: Props) {
  const isSchedule = form.kind === "schedule";
  return (
    <Panel title={words.options}>
      <div className={page.form}>
        {isSchedule && (
          <Segments
            hasLabel
            label={words.missed}
            value={form.missed}
            onChange={(missed) => onChange({ missed })}
            choices={[
              { value: "once", label: words.missedOnce },
              { value: "skip", label: words.missedSkip },
              { value: "all", label: words.missedAll },
            ]}
          />
        )}
        <div className={page.pair}>
          <NativeSelect
            label={words.overlap}
            value={form.overlap}
            onChange={(event) => onChange({ overlap: event.currentTarget.value })}
            data={Object.entries(triggerText.overlapPolicies).map(([value, label]) => ({ value, label }))}
          />
          {form.missed === "all" && isSchedule && (
            <NumberInput
              label={words.missedMax}
              min={1}
              allowDecimal={false}
              value={form.missedMax}
              onChange={wholeNumber((missedMax) => onChange({ missedMax }))}
            />
          )}
          {isSchedule ? (
            <NumberInput
              label={words.jitter}
              min={0}
              allowDecimal={false}
              value={form.jitter}
              onChange={wholeNumber((jitter) => onChange({ jitter }))}
            />
          ) : (
            <NumberInput
              label={words.window}
              min={0}
              allowDecimal={false}
              value={form.windowSeconds}
              onChange={wholeNumber((windowSeconds) => onChange({ windowSeconds }))}
            />
          )}
          <NumberInput
            label={words.priority}
            allowDecimal={false}
            value={form.priority}
            onChange={wholeNumber((priority) => onChange({ priority }))}
          />
        </div>
        <div className={page.pair}>
          {isSchedule && (
            <NativeSelect
              label={words.scheduledBy}
              value={form.place}
              onChange={(event) => onChange({ place: event.currentTarget.value })}
              data={Object.entries(triggerText.schedulers).map(([value, label]) => ({ value, label }))}
            />
          )}
          <TextInput
            type="datetime-local"
            label={words.starts}
            title={zone}
            value={form.starts}
            onChange={(event) => onChange({ starts: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label={words.ends}
            title={zone}
            value={form.ends}
            onChange={(event) => onChange({ ends: event.currentTarget.value })}
          />
        </div>
      </div>
    </Panel>
  );
}
