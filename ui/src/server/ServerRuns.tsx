import { Link } from "@tanstack/react-router";
import type { Server, ServerRun } from "../api/model";
import { StatusLabel } from "../jobs/JobMark";
import { serverText } from "../messages/server";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { PagedRows } from "../parts/PagedRows";
import { addressOf } from "../servers/address";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { RunDuration } from "./RunDuration";
import { outcomeOf, outcomeStatus } from "./run-outcome";
import { useRuns } from "./useRuns";

const words = serverText.runs;

/** Runs of a server with their results and links to their output. */
export default function ServerRuns({ server }: { server: Server }) {
  const runs = useRuns(server);
  return (
    <PagedRows query={runs} none={<p className={page.empty}>{words.none}</p>}>
      {(items) => (
        <DataTable
          rows={items}
          keyOf={(run) => run.id}
          columns={[
            {
              head: words.no,
              isTight: true,
              cell: ({ no }) => (
                <Link
                  to="/servers/$server"
                  params={{ server: addressOf(server) }}
                  search={{ tab: "console", run: no }}
                  data-row
                >
                  {words.runNo(no)}
                </Link>
              ),
            },
            {
              head: words.outcome,
              isTight: true,
              cell: (run) => (
                <StatusLabel status={outcomeStatus(run)} label={serverText.outcome[outcomeOf(run)]} />
              ),
            },
            { head: words.startedAt, isTight: true, cell: ({ started_at: at }) => <Time at={at} /> },
            { head: words.ready, isTight: true, isRight: true, cell: (run) => <ReadyAfter run={run} /> },
            { head: words.ranFor, isTight: true, isRight: true, cell: (run) => <RunDuration run={run} /> },
            { head: words.pid, isTight: true, isRight: true, cell: ({ pid }) => pid ?? "–" },
            { head: words.exit, isTight: true, isRight: true, cell: exitOf },
            { head: words.error, isLong: true, cell: ({ error }) => <span className="dim">{error}</span> },
          ]}
        />
      )}
    </PagedRows>
  );
}

function exitOf({ exit_code: code, signal }: ServerRun): string {
  if (typeof code === "number") return words.exitCode(code);
  return typeof signal === "number" ? words.signalNo(signal) : "–";
}

function ReadyAfter({ run }: { run: ServerRun }) {
  const took = run.ready_at && Date.parse(run.ready_at) - Date.parse(run.started_at);
  return <span className="num dim">{typeof took === "number" ? duration(took) : "–"}</span>;
}
