import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { latest } from "../events/recent";
import { triggerText } from "../messages/triggers";
import { JsonField } from "../parts/JsonField";
import { writeJson } from "../parts/json";
import type { TriggerForm } from "./form";
import styles from "./TriggersPage.module.css";

const words = triggerText.editor;
const EVENTS_MAX = 500;
const DEBOUNCE_MS = 300;

interface Props {
  form: TriggerForm;
  onChange: (change: Partial<TriggerForm>) => void;
}

/** Event name and conditions, with the payload of the last event as an example. */
export function EventFields({ form, onChange }: Props) {
  const { org, api } = useSession();
  const recentEvents = useQuery({
    queryKey: [...keys.events(org.slug), "names"],
    queryFn: () => latest((cursor) => api.events({ cursor, limit: 1000 }), EVENTS_MAX),
    staleTime: 60_000,
  });
  const [name] = useDebouncedValue(form.eventName.trim(), DEBOUNCE_MS);
  const last = recentEvents.data?.find(({ type }) => type === name);
  return (
    <>
      <Autocomplete
        label={words.eventName}
        description={words.eventHint}
        required
        data={[...new Set(recentEvents.data?.map(({ type }) => type) ?? [])].sort()}
        value={form.eventName}
        onChange={(eventName) => onChange({ eventName })}
      />
      <JsonField
        label={words.match}
        description={words.matchHint}
        rows={3}
        value={form.match}
        onChange={(match) => onChange({ match })}
      />
      {name !== "" && recentEvents.data && (
        <div>
          <p className="dim small">{last ? words.lastEvent : words.noEvent}</p>
          {last && <pre className={styles.sample}>{writeJson(last.data)}</pre>}
        </div>
      )}
    </>
  );
}
