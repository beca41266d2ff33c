import { text } from "../messages";
import { hubNow, useTick } from "./clock";
import { absolute, moment } from "./format";
import { useZoneName } from "./zone";

interface Props {
  at: string | null | undefined;
  /** Said when there is no time. */
  none?: string;
  /** Never relative: for ends and beginnings people plan with. */
  exact?: boolean;
  /** The zone in which it was planned, if it was. */
  zone?: string | undefined;
}

/** An instant: relative within a day, else in the viewer's zone. `TimeHints` says the rest when it is pointed at. */
export function Time({ at, none = text.common.none, exact = false, zone: planned }: Props) {
  useTick();
  const now = hubNow();
  const zone = useZoneName();
  const instant = at ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(instant)) return <span className="faint">{none}</span>;
  const iso = new Date(instant).toISOString();
  return (
    <time dateTime={iso} data-zone={planned} className="num">
      {exact ? absolute(instant, zone, now) : moment(instant, zone, now)}
    </time>
  );
}
