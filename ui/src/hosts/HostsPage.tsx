import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { Host } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { text } from "../messages";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import table from "../parts/Table.module.css";
import { useNarrow } from "../parts/useNarrow";
import { useSelection } from "../parts/useSelection";
import { useTitle } from "../parts/useTitle";
import { FilterBar } from "./FilterBar";
import { FirstHost } from "./FirstHost";
import { type HostFilter, isFiltered, requireLabel } from "./filter";
import { HostCards } from "./HostCards";
import { HostTable } from "./HostTable";
import { NoMatch } from "./NoMatch";
import { StatusCounts } from "./StatusCounts";
import { useHostStatus } from "./useHostStatus";
import { useHosts } from "./useHosts";
import { useWaiting } from "./useWaiting";
import { isOlder, newestVersion } from "./versions";

const NO_HOSTS: Host[] = [];
const HostsBulk = lazy(() => import("./HostsBulk"));
const AddHostDialog = lazy(() => import("./AddHostDialog"));
const route = getRouteApi("/frame/hosts");

/** The CSV code loads on the first download. */
async function saveShown(hosts: Host[]): Promise<void> {
  (await import("./hosts-csv")).saveHosts(hosts);
}

export function HostsPage() {
  useTitle(text.hosts.title);
  const { role } = useSession();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const status = useHostStatus();
  const hosts = useHosts(filter);
  const newest = newestVersion(status.runnerVersions);
  const rows = useMemo(() => {
    const all = hosts.data ?? NO_HOSTS;
    return filter.runner ? all.filter(({ runner_version }) => isOlder(runner_version, newest)) : all;
  }, [hosts.data, filter.runner, newest]);
  const waiting = useWaiting();
  const selection = useSelection(useMemo(() => rows.map(({ id }) => id), [rows]));
  const isNarrow = useNarrow();

  const setFilter = (next: HostFilter) =>
    void navigate({
      search: ({ org, tz }) => ({ ...(org ? { org } : {}), ...(tz ? { tz } : {}), ...next }),
      replace: true,
    });
  // Memoized, so that unchanged rows are not rendered again.
  const addLabel = useCallback(
    (label: string) =>
      void navigate({ search: (old) => ({ ...old, ...requireLabel(old, label) }), replace: true }),
    [navigate],
  );
  const cannotAdd = refusal(role, "admin");
  const List = isNarrow ? HostCards : HostTable;
  const error = errorToShow(hosts.error, hosts.data !== undefined);
  const isEmpty = hosts.data !== undefined && rows.length === 0;

  return (
    <>
      <div className={page.head}>
        <h1>{text.hosts.title}</h1>
        <StatusCounts counts={status.counts} filter={filter} onChange={setFilter} />
        <GatedButton
          refused={cannotAdd}
          data-create
          leftSection={<Icon name="plus" />}
          onClick={() => setAdding(true)}
        >
          {text.hosts.add}
        </GatedButton>
      </div>
      <FilterBar filter={filter} onChange={setFilter} onSave={() => void saveShown(rows)} />
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={hosts.refetch} />
        </div>
      )}
      {hosts.data && !isEmpty && (
        <List hosts={rows} newestRunner={newest} waiting={waiting} onLabel={addLabel} selection={selection} />
      )}
      {isEmpty && isFiltered(filter) && <NoMatch total={status.total ?? 0} onClear={() => setFilter({})} />}
      {isEmpty && !isFiltered(filter) && <FirstHost refused={cannotAdd} onAdd={() => setAdding(true)} />}
      {!hosts.data && !error && <Skeleton />}
      {hosts.hasMore && (
        <div className={table.more}>
          <Button variant="default" onClick={hosts.more} loading={hosts.isLoadingMore}>
            {text.common.more}
          </Button>
        </div>
      )}
      <Suspense>
        <HostsBulk hosts={rows} selection={selection} />
      </Suspense>
      {isAdding && (
        <Suspense>
          <AddHostDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  );
}
