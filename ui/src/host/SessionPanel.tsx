import type { ReactNode } from "react";
import type { HostSession } from "../api/model";
import { text } from "../messages";
import { hostText } from "../messages/host";
import { DetailList, Panel } from "../parts/Panel";
import { duration } from "../time/format";
import { Time } from "../time/Time";

const words = hostText.host;

export function SessionPanel({ session }: { session: HostSession | null }) {
  if (!session) {
    return (
      <Panel title={words.session}>
        <p className="dim">{words.noSession}</p>
      </Panel>
    );
  }
  const rows: [string, ReactNode][] = [
    [
      words.epoch,
      <span key="epoch" className="num">
        {session.epoch}
      </span>,
    ],
    [words.connected, <Time key="connected" at={session.connected_at} />],
  ];
  if (session.closed_at) rows.push([words.closed, <Time key="closed" at={session.closed_at} />]);
  if (session.goodbye) {
    rows.push([words.disconnectReason, words.disconnectReasons[session.goodbye] ?? session.goodbye]);
  }
  rows.push([words.skew, skewText(session.clock_skew_ms)]);
  rows.push([
    words.address,
    <span key="address" className="id">
      {session.address ?? text.common.none}
    </span>,
  ]);
  return (
    <Panel title={words.session} aside={session.closed_at ? words.ended : words.open}>
      <DetailList rows={rows} />
    </Panel>
  );
}

function skewText(skew: number | null | undefined): string {
  if (typeof skew !== "number") return text.common.none;
  if (skew === 0) return words.skewNone;
  const size = duration(Math.abs(skew));
  return skew > 0 ? words.skewAhead(size) : words.skewBehind(size);
}
