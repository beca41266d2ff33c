import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { QueryState } from "../admin/QueryState";
import type { Server } from "../api/model";
import { NoRowsOfHost } from "../hosts/NoRowsOfHost";
import { useHostFilter } from "../hosts/useHostFilter";
import { serversText as words } from "../messages/servers";
import { EmptyState } from "../parts/EmptyState";
import page from "../parts/Page.module.css";
import { SuggestInput } from "../parts/SuggestInput";
import { useTitle } from "../parts/useTitle";
import { ViewsMenu } from "../views/ViewsMenu";
import { NewServerButton } from "./NewServerButton";
import { ServerCounts } from "./ServerCounts";
import { ServerTable } from "./ServerTable";
import { completeServerFilter, matchesFilter } from "./server-filter";
import { useServers } from "./useServers";

const route = getRouteApi("/frame/servers");
const NONE: Server[] = [];

export function ServersPage() {
  useTitle(words.title);
  const { filter } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useServers();
  const { host, matchesHost, clear } = useHostFilter();
  const servers = query.data ?? NONE;
  const all = useMemo(() => servers.filter((server) => matchesHost(server.host)), [servers, matchesHost]);
  const hosts = useMemo(() => [...new Set(all.map(({ host }) => host))].toSorted(), [all]);
  const suggest = useCallback(
    (text: string, caret: number) => completeServerFilter(text, caret, hosts),
    [hosts],
  );
  const setFilter = (next: string) =>
    void navigate({
      search: ({ filter: _, ...old }) => (next ? { ...old, filter: next } : old),
      replace: true,
    });
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
        <ServerCounts servers={all} filter={filter} onChange={setFilter} />
        <NewServerButton />
      </div>
      <search className={page.bar}>
        <SuggestInput
          label={words.filterLabel}
          placeholder={words.filterHint}
          value={filter ?? ""}
          onChange={setFilter}
          suggest={suggest}
        />
        <ViewsMenu page="servers" />
        {filter && (
          <Button variant="default" onClick={() => setFilter("")}>
            {words.clear}
          </Button>
        )}
      </search>
      <QueryState query={query}>
        {(data) =>
          host && data.length > 0 && all.length === 0 ? (
            <NoRowsOfHost host={host} onClear={clear} />
          ) : (
            <List servers={all} filter={filter} onClear={() => setFilter("")} />
          )
        }
      </QueryState>
    </>
  );
}

interface ListProps {
  servers: Server[];
  filter: string | undefined;
  onClear: () => void;
}

function List({ servers, filter, onClear }: ListProps) {
  const matching = servers.filter((server) => matchesFilter(server, filter));
  if (matching.length > 0) return <ServerTable servers={matching} />;
  if (servers.length > 0) {
    return (
      <EmptyState title={words.noMatch(servers.length)}>
        <Button variant="default" onClick={onClear}>
          {words.clear}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={words.emptyTitle}
      hint={words.empty}
      action={<NewServerButton isSecondary />}
      cli={words.emptyCli}
    />
  );
}
