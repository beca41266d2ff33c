import { Fragment } from "react";
import { INSTANT } from "./instant";
import { Time } from "./Time";

/** Text of the hub, with its timestamps rendered as `Time`. */
export function TimedText({ children }: { children: string }) {
  return children.split(INSTANT).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no identity but their index
    <Fragment key={index}>{index % 2 === 1 ? <Time at={part} exact /> : part}</Fragment>
  ));
}
