import { Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { HostStatus } from "../api/model";
import { useSession } from "../app/session";
import { runText } from "../messages/run";
import { Segments } from "../parts/Segments";
import styles from "./TargetField.module.css";
import type { TargetForm } from "./target";

interface Props {
  target: TargetForm;
  onChange: (target: TargetForm) => void;
  /** Whether to offer any host. */
  hasAny?: boolean;
  /** Texts, if not those of a job. */
  words?: TargetWords;
}

type HostNote = (host: string, status: HostStatus) => string;

interface TargetWords {
  label: string;
  any: string;
  host: string;
  selector: string;
  noMatch: string;
  /** Note about a host that is not ready; absent for none. */
  hostNote?: HostNote;
}

const JOB_WORDS: TargetWords = {
  label: runText.target,
  any: runText.anyHost,
  host: runText.onHost,
  selector: runText.onSelector,
  noMatch: runText.noMatch,
  hostNote: runText.hostNotReady,
};

const DEBOUNCE_MS = 300;
const NAMED_MAX = 4;

/** Target field: any host, one host, or hosts by labels, with the currently matching hosts. */
export function TargetField({ target, onChange, hasAny = true, words = JOB_WORDS }: Props) {
  return (
    <div className={styles.target}>
      <Segments
        label={words.label}
        value={target.kind}
        onChange={(kind) => onChange({ ...target, kind })}
        choices={[
          ...(hasAny ? ([{ value: "any", label: words.any }] as const) : []),
          { value: "host", label: words.host },
          { value: "selector", label: words.selector },
        ]}
      />
      {target.kind === "host" && (
        <HostChoice
          note={words.hostNote}
          value={target.host}
          onChange={(host) => onChange({ ...target, host })}
        />
      )}
      {target.kind === "selector" && (
        <SelectorChoice
          noMatch={words.noMatch}
          value={target.selector}
          onChange={(selector) => onChange({ ...target, selector })}
        />
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
  /** Note about a host that is not online. */
  note: HostNote | undefined;
  value: string;
  onChange: (host: string) => void;
}

/** Host field with a note about hosts that are not online. */
export function HostChoice({ label = runText.host, note, value, onChange }: HostChoiceProps) {
  const { data: hosts = [] } = useHostChoices(undefined);
  const selected = hosts.find(({ name }) => name === value);
  const isNotReady = selected && selected.status !== "online" && selected.status !== "degraded";
  return (
    <Select
      label={label}
      searchable
      data={[...new Set([...hosts.map(({ name }) => name), ...(value ? [value] : [])])]}
      value={value || null}
      onChange={(host) => onChange(host ?? "")}
      description={isNotReady ? note?.(selected.name, selected.status) : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
    />
  );
}

interface SelectorChoiceProps {
  noMatch: string;
  value: string;
  onChange: (selector: string) => void;
}

function SelectorChoice({ noMatch, value, onChange }: SelectorChoiceProps) {
  const [debounced] = useDebouncedValue(value.trim(), DEBOUNCE_MS);
  const { data, error } = useHostChoices(debounced || undefined);
  const names = data?.slice(0, NAMED_MAX).map(({ name }) => name) ?? [];
  const matches = data?.length === 0 ? noMatch : runText.matches(names, data?.length ?? 0);
  return (
    <TextInput
      label={runText.selector}
      placeholder={runText.selectorHint}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error?.message}
      description={debounced && data ? matches : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
    />
  );
}
