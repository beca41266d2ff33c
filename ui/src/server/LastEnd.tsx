import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { QueryState } from "../admin/QueryState";
import type { Server } from "../api/model";
import { FaceMark } from "../jobs/JobMark";
import { serverText as words } from "../messages/server";
import { Facts, Panel } from "../parts/Panel";
import { addressOf } from "../servers/address";
import { Time } from "../time/Time";
import { Lasted } from "./Lasted";
import { endFace, endOf } from "./run-end";
import { useRuns } from "./useRuns";

const fact = words.fact;

/** How the last run of a server ended. */
export function LastEnd({ server }: { server: Server }) {
  const runs = useRuns(server);
  return (
    <Panel title={words.lastEnd}>
      <QueryState query={runs}>
        {({ pages }) => {
          const items = pages.flatMap((each) => each.items);
          const run = items.find(({ finished_at: at }) => at);
          if (!run) return <p className="dim">{items.length > 0 ? words.neverEnded : words.neverRan}</p>;
          const rows: [string, ReactNode][] = [
            [fact.state, <FaceMark key="end" face={endFace(run)} word={words.end[endOf(run)]} />],
            [fact.ended, <Time key="at" at={run.finished_at} />],
            [fact.lasted, <Lasted key="lasted" run={run} />],
          ];
          if (typeof run.exit_code === "number") rows.push([fact.exit, run.exit_code]);
          if (typeof run.signal === "number") rows.push([fact.signal, run.signal]);
          if (run.error) rows.push([fact.said, run.error]);
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
          return <Facts rows={rows} />;
        }}
      </QueryState>
    </Panel>
  );
}
