import type { Server } from "../api/model";
import mark from "../jobs/JobMark.module.css";
import { serversText } from "../messages/servers";
import { ServerGlyph } from "./ServerGlyph";
import { isHighlightedServer, pendingRequest, serverTone } from "./state";

/** State as shape, word and color; "(last known)" if the host is not connected; then a differing desired state. */
export function ServerMark({ server }: { server: Server }) {
  const label = serversText.state[server.state];
  const pending = pendingRequest(server);
  return (
    <span className={mark.mark}>
      <span
        className={mark.word}
        data-tone={server.is_stale ? "quiet" : serverTone(server.state)}
        data-highlighted={(!server.is_stale && isHighlightedServer(server.state)) || undefined}
        title={server.is_stale ? serversText.staleNote(server.host, server.host_status) : undefined}
      >
        <ServerGlyph state={server.state} />
        {server.is_stale ? serversText.stale(label) : label}
      </span>
      {pending && <span className="dim">{serversText.requestedState[pending]}</span>}
    </span>
  );
}
