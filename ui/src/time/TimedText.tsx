import { Fragment } from "react";
import { INSTANT } from "./instant";
import { Time } from "./Time";

interface Props {
  /** Whether backticks are part of the text, as in data of users. */
  isPlain?: boolean;
  children: string;
}

const CODE = /`([^`]+)`/;

/** Text of the hub: its timestamps as `Time`, and names and commands in backticks as code. */
export function TimedText({ isPlain = false, children }: Props) {
  if (isPlain) return <Times>{children}</Times>;
  return children.split(CODE).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no identity but their index
      <code key={index}>{part}</code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no identity but their index
      <Times key={index}>{part}</Times>
    ),
  );
}

function Times({ children }: { children: string }) {
  return children.split(INSTANT).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no identity but their index
    <Fragment key={index}>{index % 2 === 1 ? <Time at={part} exact /> : part}</Fragment>
  ));
}
