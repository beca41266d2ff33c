import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import type { Server } from "../api/model";
import { serverText as words } from "../messages/server";
import { serversText } from "../messages/servers";
import page from "../parts/Page.module.css";
import { DetailList, Panel } from "../parts/Panel";
import { Skeleton } from "../parts/Skeleton";
import { joinWords } from "../parts/shell-words";
import { Warning } from "../parts/Warning";
import { ServerJob } from "../servers/ServerJob";
import { Uptime } from "../servers/ServerTable";
import { stopSteps } from "../servers/stop-steps";
import { bytes, duration } from "../time/format";
import { Time } from "../time/Time";
import { LastExit } from "./LastExit";
import styles from "./ServerPage.module.css";
import { capsText, nextAttempt, readyText, restartText, retentionText } from "./spec-text";

const ServerCharts = lazy(() => import("./ServerCharts"));
const fact = words.fact;

/** Overview of a server: status, last exit, configuration and resource usage. */
export function ServerOverview({ server }: { server: Server }) {
  return (
    <>
      {server.state === "crash_loop" && <LoopNote server={server} />}
      <div className={page.panels}>
        <StatusPanel server={server} />
        <LastExit server={server} />
        <ConfigurationPanel server={server} />
        <Suspense fallback={<Skeleton rows={3} />}>
          <ServerCharts server={server} />
        </Suspense>
      </div>
    </>
  );
}

function LoopNote({ server }: { server: Server }) {
  const next = nextAttempt(server.state_reason);
  return (
    <div className={page.notice}>
      <Warning title={words.crashLooping}>
        {next && (
          <>
            {words.nextAttempt} <Time at={next} />.{" "}
          </>
        )}
        {words.loopBackoff(duration(server.spec.restart.cap_seconds * 1000))}
      </Warning>
    </div>
  );
}

function StatusPanel({ server }: { server: Server }) {
  const { cpu_percent: cpu, memory_bytes: memory, restarts } = server;
  const rows: [string, ReactNode][] = [
    [fact.state, serversText.state[server.state]],
    // A state change that has not reached the host yet is shown as its job.
    [
      fact.requestedState,
      server.job_id ? <ServerJob key="desired" server={server} /> : words.desired[server.desired_state],
    ],
    [fact.since, <Time key="since" at={server.state_at} />],
    [
      fact.host,
      <Link key="host" to="/hosts/$host" params={{ host: server.host }}>
        {server.host}
      </Link>,
    ],
  ];
  if (typeof server.pid === "number") {
    rows.push([fact.up, <Uptime key="up" server={server} />], [fact.pid, server.pid]);
  }
  if (typeof cpu === "number") rows.push([fact.cpu, serversText.percent(cpu)]);
  if (typeof memory === "number") rows.push([fact.memory, bytes(memory)]);
  if (server.run > 0) rows.push([fact.run, server.run], [fact.restarts, fact.restartsNote(restarts)]);
  rows.push([
    fact.created,
    <span key="made">
      <Time at={server.created_at} /> {fact.by(server.created_by)}
    </span>,
  ]);
  return (
    <Panel title={words.now}>
      <DetailList rows={rows} />
    </Panel>
  );
}

function ConfigurationPanel({ server: { spec } }: { server: Server }) {
  const rows: [string, ReactNode][] = [
    [
      fact.command,
      <span key="command" className={styles.command}>
        {joinWords(spec.argv)}
      </span>,
    ],
  ];
  if (spec.definition_key) rows.push([fact.definition, spec.definition_key]);
  rows.push(
    [fact.folder, spec.folder ?? fact.ownFolder],
    [fact.user, spec.user ?? fact.runner],
    [fact.ports, spec.ports.join(", ") || words.none],
    [fact.ready, readyText(spec.ready)],
    [fact.stop, <Steps key="stop" steps={stopSteps(spec)} />],
    [fact.restart, restartText(spec.restart)],
    [fact.autostart, spec.autostart ? words.yes : words.no],
    [fact.caps, capsText(spec.caps)],
    [fact.log, retentionText(spec.log)],
  );
  return (
    <Panel title={words.configuration}>
      <DetailList rows={rows} />
    </Panel>
  );
}

function Steps({ steps }: { steps: string[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
