import { addressOf } from "../servers/address";
import "../styles/mantine-forms";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import { keys } from "../api/keys";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { type PagePath, pageRefusal } from "../frame/pages";
import { shortId } from "../jobs/job-status";
import { text } from "../messages";
import { jobText } from "../messages/jobs";
import { paletteText } from "../messages/palette";
import { serversText } from "../messages/servers";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { useServers } from "../servers/useServers";
import styles from "./Palette.module.css";
import { bestMatches, type PaletteItem } from "./rank";

interface Entry extends PaletteItem {
  go: () => void;
}

const NAMES_MS = 60_000;
const DEBOUNCE_MS = 250;
const JOBS_SHOWN = 5;

/** Command palette: search for pages, hosts, servers, triggers, jobs and definitions. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState(0);
  const listId = useId();
  const jobs = useJobEntries(typed);
  const entries = [...bestMatches(useEntries(), typed), ...jobs];
  const at = Math.min(selected, entries.length - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at, listId]);

  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.go();
  };
  return (
    <Dialog title={paletteText.title} onClose={onClose} size={560}>
      <TextInput
        role="combobox"
        aria-label={paletteText.label}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={entries.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={paletteText.hint}
        autoComplete="off"
        spellCheck={false}
        leftSection={<Icon name="search" />}
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step && entries.length > 0) {
            event.preventDefault();
            setSelected((at + step + entries.length) % entries.length);
          } else if (event.key === "Enter") {
            event.preventDefault();
            open(entries[at]);
          }
        }}
      />
      <div id={listId} role="listbox" aria-label={paletteText.title} className={styles.list}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and refers to the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(entry)}
          >
            <span className={styles.group}>{paletteText.groups[entry.group]}</span>
            <span className={styles.name}>{entry.label}</span>
            {entry.note && <span className={styles.note}>{entry.note}</span>}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="dim">{paletteText.none}</p>}
    </Dialog>
  );
}

const PAGES: [PagePath, string][] = [
  ["/", text.frame.overview],
  ["/hosts", text.frame.hosts],
  ["/servers", text.frame.servers],
  ["/jobs", text.frame.jobs],
  ["/triggers", text.frame.triggers],
  ["/alerts", text.frame.alerts],
  ["/admin/people", text.frame.people],
  ["/admin/tokens", text.frame.tokens],
  ["/admin/join-tokens", text.frame.joinTokens],
  ["/admin/definitions", text.frame.definitions],
  ["/admin/workers", text.frame.workers],
  ["/admin/sync", text.frame.sync],
  ["/admin/audit", text.frame.audit],
  ["/admin/org", text.frame.org],
  ["/admin/hub", text.frame.hub],
  ["/admin/secrets", text.frame.secrets],
  ["/admin/limits", text.frame.limits],
];

/** Entries for pages, definitions, hosts, servers and triggers. */
function useEntries(): Entry[] {
  const { org, api, role } = useSession();
  const navigate = useNavigate();
  const definitions = useQuery({
    queryKey: keys.definitions(org.slug),
    queryFn: api.definitions,
    staleTime: NAMES_MS,
  });
  const hosts = useQuery({
    queryKey: [...keys.hosts(org.slug), "palette"],
    queryFn: ({ signal }) => api.hosts({ limit: 1000 }, signal),
    staleTime: NAMES_MS,
  });
  const triggers = useQuery({
    queryKey: keys.triggers(org.slug),
    queryFn: api.triggers,
    staleTime: NAMES_MS,
  });
  const servers = useServers();
  const mayRun = may(role, "operator");
  return [
    ...PAGES.filter(([to]) => !pageRefusal(role, to)).map(
      ([to, label]): Entry => ({ id: `go-${to}`, group: "go", label, go: () => void navigate({ to }) }),
    ),
    ...(mayRun ? (definitions.data?.items ?? []) : [])
      .filter(({ is_active }) => is_active)
      .map(
        ({ key, description }): Entry => ({
          id: `run-${key}`,
          group: "run",
          label: key,
          note: description,
          go: () => void navigate({ to: "/run", search: { def: key } }),
        }),
      ),
    ...(hosts.data?.items ?? []).map(
      ({ id, name, status }): Entry => ({
        id: `host-${id}`,
        group: "host",
        label: name,
        note: text.status[status],
        go: () => void navigate({ to: "/hosts/$host", params: { host: name } }),
      }),
    ),
    ...(servers.data ?? []).map(
      (server): Entry => ({
        id: `server-${server.id}`,
        group: "server",
        label: server.name,
        note: `${serversText.state[server.state]} · ${server.host}`,
        go: () => void navigate({ to: "/servers/$server", params: { server: addressOf(server) } }),
      }),
    ),
    ...(triggers.data?.items ?? []).map(
      ({ id, label, description }): Entry => ({
        id: `trigger-${id}`,
        group: "trigger",
        label,
        note: description,
        go: () => void navigate({ to: "/triggers/$trigger", params: { trigger: id } }),
      }),
    ),
  ];
}

/** Jobs are searched on the hub, because there are too many to load. */
function useJobEntries(typed: string): Entry[] {
  const { org, api } = useSession();
  const navigate = useNavigate();
  const [debounced] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const isId = /^[0-9a-hjkmnp-tv-z]{4,26}$/i.test(debounced) && /\d/.test(debounced);
  const found = useQuery({
    queryKey: [...keys.jobSummary(org.slug), "palette", debounced],
    queryFn: ({ signal }) =>
      api.jobs({ filter: `id:${debounced.toUpperCase()}*`, limit: JOBS_SHOWN }, signal),
    enabled: isId,
    retry: false,
  });
  const byText: Entry[] =
    debounced === ""
      ? []
      : [
          {
            id: "jobs-with",
            group: "job",
            label: paletteText.jobsWith(debounced),
            go: () =>
              void navigate({ to: "/jobs", search: { filter: `"${debounced.replaceAll('"', "")}"` } }),
          },
        ];
  return [
    ...(isId ? (found.data?.items ?? []) : []).map(
      ({ id, definition_key, status }): Entry => ({
        id: `job-${id}`,
        group: "job",
        label: `${definition_key} ${shortId(id)}`,
        note: jobText.status[status],
        go: () => void navigate({ to: "/jobs/$job", params: { job: id } }),
      }),
    ),
    ...byText,
  ];
}
