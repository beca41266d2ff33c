import type { Server } from "../api/model";
import mark from "../jobs/JobMark.module.css";
import { serversText } from "../messages/servers";
import { ServerGlyph } from "./ServerGlyph";
import { gapOf, isLoudServer, serverTone } from "./state";

/** State as shape, word and color; "?" if the host is not connected; then a differing desired state. */
export function ServerMark({ server }: { server: Server }) {
  const word = serversText.state[server.state];
  const gap = gapOf(server);
  return (
    <span className={mark.mark}>
      <span
        className={mark.word}
        data-tone={server.is_stale ? "quiet" : serverTone(server.state)}
        data-loud={(!server.is_stale && isLoudServer(server.state)) || undefined}
        title={server.is_stale ? serversText.staleNote(server.host, server.host_status) : undefined}
      >
        <ServerGlyph state={server.state} />
        {server.is_stale ? serversText.stale(word) : word}
      </span>
      {gap && <span className="dim">{serversText.asked[gap]}</span>}
    </span>
  );
}
