import type { Server } from "../api/model";
import counts from "../hosts/StatusCounts.module.css";
import { serversText } from "../messages/servers";
import { ServerGlyph } from "./ServerGlyph";
import { statesOf, toggleState } from "./server-filter";
import { SERVER_STATES, serverTone } from "./state";

interface Props {
  servers: Server[];
  filter: string | undefined;
  onChange: (filter: string) => void;
}

/** Counts by state; each one is a filter. */
export function ServerCounts({ servers, filter, onChange }: Props) {
  const selected = statesOf(filter);
  const countOf = (state: Server["state"]) => servers.filter((server) => server.state === state).length;
  const statesShown = SERVER_STATES.filter((state) => countOf(state) > 0 || selected.includes(state));
  return (
    <fieldset className={counts.counts}>
      <legend className="sr-only">{serversText.filterState}</legend>
      {statesShown.map((state) => (
        <button
          key={state}
          type="button"
          className={counts.count}
          data-tone={serverTone(state)}
          aria-pressed={selected.includes(state)}
          onClick={() => onChange(toggleState(filter, state))}
        >
          <ServerGlyph state={state} />
          <strong className="num">{countOf(state).toLocaleString("en")}</strong>
          {serversText.state[state]}
        </button>
      ))}
    </fieldset>
  );
}
