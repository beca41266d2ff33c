import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { SuggestInput } from "../parts/SuggestInput";
import { complete } from "./job-filter";

interface Props {
  filter: string | undefined;
  error: Error | null;
  onChange: (filter: string) => void;
}

export function JobFilterBar({ filter, error, onChange }: Props) {
  const known = useVocabulary();
  const suggest = useCallback((written: string, caret: number) => complete(written, caret, known), [known]);
  const isBadFilter = error instanceof ApiError && error.code === "filter_invalid";
  return (
    <search className={page.bar}>
      <SuggestInput
        label={jobText.filterLabel}
        placeholder={jobText.filterHint}
        value={filter ?? ""}
        onChange={onChange}
        suggest={suggest}
        error={isBadFilter ? error.message : undefined}
      />
      <Views onChoose={onChange} />
      {filter && (
        <Button variant="default" onClick={() => onChange("")}>
          {jobText.clear}
        </Button>
      )}
    </search>
  );
}

function Views({ onChoose }: { onChoose: (filter: string) => void }) {
  const { me } = useSession();
  const views: [string, string][] = [
    [jobText.viewNames.all, ""],
    [jobText.viewNames.attention, "status:failed,dead_letter"],
    [jobText.viewNames.running, "status:running"],
    [jobText.viewNames.dead, "status:dead_letter"],
    [jobText.viewNames.slow, "duration:>5m after:-24h"],
    [jobText.viewNames.mine, `user:"${me.email ?? me.name}"`],
  ];
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="chevron" />}>
          {jobText.views}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map(([name, filter]) => (
          <Menu.Item key={name} onClick={() => onChoose(filter)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const NAMES_MS = 60_000;

function useVocabulary() {
  const { org, api } = useSession();
  const definitions = useQuery({
    queryKey: keys.definitions(org.slug),
    queryFn: api.definitions,
    staleTime: NAMES_MS,
    select: (data) => data.items.map(({ key }) => key),
  });
  const hosts = useQuery({
    queryKey: [...keys.hosts(org.slug), "names"],
    queryFn: async ({ signal }) =>
      (
        await api.hosts(
          { status: undefined, labels: undefined, name: undefined, cursor: undefined, limit: 200 },
          signal,
        )
      ).items.map(({ name }) => name),
    staleTime: NAMES_MS,
  });
  return { definitions: definitions.data ?? [], hosts: hosts.data ?? [] };
}
