import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { QueryState } from "../admin/QueryState";
import type { Server } from "../api/model";
import { StatusLabel } from "../jobs/JobMark";
import { serverText as words } from "../messages/server";
import { DetailList, Panel } from "../parts/Panel";
import { addressOf } from "../servers/address";
import { Time } from "../time/Time";
import { RunDuration } from "./RunDuration";
import { outcomeOf, outcomeStatus } from "./run-outcome";
import { useRuns } from "./useRuns";

const fact = words.fact;

/** How the last run of a server ended. */
export function LastExit({ server }: { server: Server }) {
  const runs = useRuns(server);
  return (
    <Panel title={words.lastExit}>
      <QueryState query={runs}>
        {({ pages }) => {
          const items = pages.flatMap((each) => each.items);
          const run = items.find(({ finished_at: at }) => at);
          if (!run) return <p className="dim">{items.length > 0 ? words.neverExited : words.neverStarted}</p>;
          const rows: [string, ReactNode][] = [
            [
              fact.state,
              <StatusLabel key="end" status={outcomeStatus(run)} label={words.outcome[outcomeOf(run)]} />,
            ],
            [fact.ended, <Time key="at" at={run.finished_at} />],
            [fact.ranFor, <RunDuration key="lasted" run={run} />],
          ];
          if (typeof run.exit_code === "number") rows.push([fact.exit, run.exit_code]);
          if (typeof run.signal === "number") rows.push([fact.signal, run.signal]);
          if (run.error) rows.push([fact.error, run.error]);
          rows.push([
            fact.run,
            <Link
              key="run"
              to="/servers/$server"
              params={{ server: addressOf(server) }}
              search={{ tab: "console", run: run.no }}
            >
              {words.runs.runNo(run.no)}
            </Link>,
          ]);
          return <DetailList rows={rows} />;
        }}
      </QueryState>
    </Panel>
  );
}
