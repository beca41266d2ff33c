import { Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { text } from "../messages";
import { runText } from "../messages/run";
import { Segments } from "../parts/Segments";
import styles from "./TargetField.module.css";
import type { TargetForm } from "./target";

interface Props {
  target: TargetForm;
  onChange: (target: TargetForm) => void;
  /** Whether to offer any host. */
  hasAny?: boolean;
  /** Labels of the choices, if not those of a job. */
  words?: { any: string; host: string; selector: string };
}

const WORDS = { any: runText.anyHost, host: runText.onHost, selector: runText.onSelector };

const DEBOUNCE_MS = 300;
const NAMED_MAX = 4;

/** Target field: any host, one host, or hosts by labels, with the currently matching hosts. */
export function TargetField({ target, onChange, hasAny = true, words = WORDS }: Props) {
  return (
    <div className={styles.target}>
      <Segments
        label={runText.target}
        value={target.kind}
        onChange={(kind) => onChange({ ...target, kind })}
        choices={[
          ...(hasAny ? ([{ value: "any", label: words.any }] as const) : []),
          { value: "host", label: words.host },
          { value: "selector", label: words.selector },
        ]}
      />
      {target.kind === "host" && (
        <HostChoice value={target.host} onChange={(host) => onChange({ ...target, host })} />
      )}
      {target.kind === "selector" && (
        <SelectorChoice value={target.selector} onChange={(selector) => onChange({ ...target, selector })} />
      )}
    </div>
  );
}

function useHostChoices(labels: string | undefined) {
  const { org, api } = useSession();
  return useQuery({
    queryKey: [...keys.hosts(org.slug), "choices", { labels }],
    queryFn: async ({ signal }) =>
      (
        await api.hosts(
          { status: undefined, labels, name: undefined, cursor: undefined, limit: 1000 },
          signal,
        )
      ).items,
  });
}

interface HostChoiceProps {
  label?: string;
  /** Text for a host that is not connected. */
  waitNote?: (host: string, status: string) => string;
  value: string;
  onChange: (host: string) => void;
}

/** Host field with a note about hosts that are not connected. */
export function HostChoice({
  label = runText.host,
  waitNote = runText.hostNotConnected,
  value,
  onChange,
}: HostChoiceProps) {
  const { data: hosts = [] } = useHostChoices(undefined);
  const chosen = hosts.find(({ name }) => name === value);
  const isDisconnected = chosen && chosen.status !== "online" && chosen.status !== "degraded";
  return (
    <Select
      label={label}
      searchable
      data={[...new Set([...hosts.map(({ name }) => name), ...(value ? [value] : [])])]}
      value={value || null}
      onChange={(host) => onChange(host ?? "")}
      description={isDisconnected ? waitNote(chosen.name, text.status[chosen.status]) : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
    />
  );
}

function SelectorChoice({ value, onChange }: { value: string; onChange: (selector: string) => void }) {
  const [debounced] = useDebouncedValue(value.trim(), DEBOUNCE_MS);
  const { data, error } = useHostChoices(debounced || undefined);
  const names = data?.slice(0, NAMED_MAX).map(({ name }) => name) ?? [];
  return (
    <TextInput
      label={runText.selector}
      placeholder={runText.selectorHint}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error?.message}
      description={debounced && data ? runText.matches(names, data.length) : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
    />
  );
}
