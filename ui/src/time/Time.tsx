import { text } from "../messages";
import { hubNow, useTick } from "./clock";
import { absolute, relativeOrAbsolute } from "./format";
import { useZoneName } from "./zone";

interface Props {
  at: string | null | undefined;
  /** Text if there is no time. */
  none?: string;
  /** Always absolute, for start and end times. */
  exact?: boolean;
  /** Time zone of the schedule. */
  zone?: string | undefined;
}

/** A time: relative within a day, else in the viewer's zone. `TimeTooltip` shows details on hover. */
export function Time({ at, none = text.common.none, exact = false, zone: scheduleZone }: Props) {
  useTick();
  const now = hubNow();
  const zone = useZoneName();
  const instant = at ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(instant)) return <span className="faint">{none}</span>;
  const iso = new Date(instant).toISOString();
  return (
    <time dateTime={iso} data-zone={scheduleZone} className="num">
      {exact ? absolute(instant, zone, now) : relativeOrAbsolute(instant, zone, now)}
    </time>
  );
}
