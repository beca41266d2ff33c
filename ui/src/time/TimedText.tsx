import { Fragment } from "react";
import { INSTANT } from "./instant";
import { Time } from "./Time";

/** A sentence of the hub, with the instants in it shown as all others are. */
export function TimedText({ children }: { children: string }) {
  return children.split(INSTANT).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no identity but their place
    <Fragment key={place}>{place % 2 === 1 ? <Time at={part} exact /> : part}</Fragment>
  ));
}
