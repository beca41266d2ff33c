import { NativeSelect } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { QueryState } from "../admin/QueryState";
import type { Server, ServerRun } from "../api/model";
import { StatusLabel } from "../jobs/JobMark";
import LogViewer from "../log/LogViewer";
import type { FetchLog } from "../log/log-store";
import { serverText } from "../messages/server";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { addressOf } from "../servers/address";
import { useServerApi } from "../servers/useServers";
import { Time } from "../time/Time";
import { ConsoleInput } from "./ConsoleInput";
import { RunDuration } from "./RunDuration";
import { outcomeOf, outcomeStatus } from "./run-outcome";
import styles from "./ServerPage.module.css";
import { useRuns } from "./useRuns";

const words = serverText.console;
const route = getRouteApi("/frame/servers/$server");

/** Output of one run of a server: the chosen run, or the latest one, switching when a new run starts. */
export default function ServerConsole({ server }: { server: Server }) {
  const { run: selected } = route.useSearch();
  const runs = useRuns(server);
  const loaded = runs.data?.pages.flatMap(({ items }) => items) ?? [];
  // A link can name an old run: load older pages until it is found.
  const isMissing = selected !== undefined && loaded.length > 0 && !loaded.some(({ no }) => no === selected);
  const { hasNextPage, isFetching, fetchNextPage } = runs;
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, fetchNextPage]);
  if (isMissing && hasNextPage) return <Skeleton />;
  return (
    <div className={styles.tab}>
      <QueryState query={runs}>
        {({ pages }) => {
          const items = pages.flatMap((each) => each.items);
          const run = items.find(({ no }) => no === selected) ?? items[0];
          if (!run) return <p className={page.empty}>{words.none}</p>;
          return (
            <>
              <RunBar
                server={server}
                runs={items}
                run={run}
                onOlder={hasNextPage ? fetchNextPage : undefined}
              />
              {/* The key gives each run its own log. */}
              <RunLog key={run.id} server={server} run={run} />
            </>
          );
        }}
      </QueryState>
      <ConsoleInput server={server} />
    </div>
  );
}

interface RunBarProps {
  server: Server;
  runs: ServerRun[];
  run: ServerRun;
  /** Loads older runs; `undefined` if there are none. */
  onOlder: (() => unknown) | undefined;
}

const OLDER = "older";

function RunBar({ server, runs, run, onOlder }: RunBarProps) {
  const navigate = route.useNavigate();
  const newest = runs[0];
  const before = runs[runs.indexOf(run) + 1];
  const isNewest = run === newest;
  return (
    <div className={styles.runBar}>
      <NativeSelect
        aria-label={words.run}
        value={isNewest ? "" : String(run.no)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value === OLDER) return void onOlder?.();
          const no = Number(value);
          void navigate({
            search: ({ run: _, ...old }) => (no > 0 ? { ...old, run: no } : old),
            hash: "",
            replace: true,
          });
        }}
        data={[
          ...runs.map((each, index) =>
            index === 0
              ? { value: "", label: words.newest(each.no) }
              : { value: String(each.no), label: words.runOf(each.no, serverText.outcome[outcomeOf(each)]) },
          ),
          ...(onOlder ? [{ value: OLDER, label: words.older }] : []),
        ]}
      />
      <StatusLabel status={outcomeStatus(run)} label={serverText.outcome[outcomeOf(run)]} />
      <span>
        {words.startedAt} <Time at={run.started_at} />
        {run.finished_at && (
          <>
            , {words.ranFor} <RunDuration run={run} />
          </>
        )}
      </span>
      {run.error && <span>{run.error}</span>}
      {!isNewest && (
        <Link to="/servers/$server" params={{ server: addressOf(server) }} search={{ tab: "console" }}>
          {words.goToLatest}
        </Link>
      )}
      {isNewest && before && (
        <span>
          {words.before(before.no)}: {before.error ?? serverText.outcome[outcomeOf(before)]} ·{" "}
          <Link
            to="/servers/$server"
            params={{ server: addressOf(server) }}
            search={{ tab: "console", run: before.no }}
          >
            {words.showOutput}
          </Link>
        </span>
      )}
    </div>
  );
}

function RunLog({ server, run }: { server: Server; run: ServerRun }) {
  const api = useServerApi();
  const [{ id }, { no }] = [server, run];
  const fetchLog = useCallback<FetchLog>(
    (request, signal) => api.console(id, { run: no, ...request }, signal),
    [api, id, no],
  );
  return (
    <LogViewer fetchLog={fetchLog} run={run} label={words.region(no)} file={`${server.name}-${no}.log`} />
  );
}
