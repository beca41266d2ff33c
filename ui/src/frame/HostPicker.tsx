import "../styles/mantine-forms";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { text } from "../messages";
import styles from "./HostPicker.module.css";
import { useHostChoice } from "./host-choice";

const DEBOUNCE_MS = 200;
const HOSTS_MAX = 20;

export default function HostPicker({ onChosen }: { onChosen: () => void }) {
  const { org, api } = useSession();
  const { host, choose } = useHostChoice();
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const hosts = useQuery({
    queryKey: [...keys.hosts(org.slug), "picker", name],
    queryFn: ({ signal }) =>
      api.hosts(
        {
          name: name || undefined,
          limit: HOSTS_MAX,
          status: undefined,
          labels: undefined,
          cursor: undefined,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const select = (chosen: string | undefined) => {
    choose(chosen);
    onChosen();
  };
  return (
    <div className={styles.picker}>
      <TextInput
        aria-label={text.frame.hostFind}
        placeholder={text.frame.hostFind}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <ul className={styles.selected}>
        {host && (
          <li>
            <button type="button" onClick={() => select(undefined)}>
              {text.frame.hostAll}
            </button>
          </li>
        )}
        {hosts.data?.items.map(({ id, name: each }) => (
          <li key={id}>
            <button type="button" aria-current={each === host || undefined} onClick={() => select(each)}>
              {each}
            </button>
          </li>
        ))}
      </ul>
      {hosts.data?.items.length === 0 && <p className="dim small">{text.frame.hostNone}</p>}
    </div>
  );
}
