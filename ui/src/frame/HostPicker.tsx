import "../styles/mantine-forms";
import { Menu, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { text } from "../messages";
import styles from "./Header.module.css";
import { useHostChoice } from "./host-choice";

const SETTLE_MS = 200;
const SHOWN = 20;

export default function HostPicker() {
  const { org, api } = useSession();
  const { host, choose } = useHostChoice();
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), SETTLE_MS);
  const hosts = useQuery({
    queryKey: [...keys.hosts(org.slug), "picker", name],
    queryFn: ({ signal }) =>
      api.hosts(
        { name: name || undefined, limit: SHOWN, status: undefined, labels: undefined, cursor: undefined },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={styles.picker}>
      <TextInput
        aria-label={text.frame.hostFind}
        placeholder={text.frame.hostFind}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      {host && <Menu.Item onClick={() => choose(undefined)}>{text.frame.hostAll}</Menu.Item>}
      {hosts.data?.items.map(({ id, name: each }) => (
        <Menu.Item key={id} onClick={() => choose(each)}>
          {each}
        </Menu.Item>
      ))}
      {hosts.data?.items.length === 0 && <Menu.Label>{text.frame.hostNone}</Menu.Label>}
    </div>
  );
}
