import { useEffect, useRef } from "react";
import type { Command } from "./keys";

/** Does what a key stands for; false if there is nothing to do it to here. */
export type Handler = () => unknown;
export type Handlers = Partial<Record<Command, Handler>>;

const stack: { current: Handlers }[] = [];

/** Does a command: what was there last is asked first. Says whether anything did. */
export function runCommand(command: Command): boolean {
  return stack.toReversed().some(({ current }) => {
    const handler = current[command];
    return handler !== undefined && handler() !== false;
  });
}

/** What keys do while this is on the page. */
export function useCommands(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    stack.push(latest);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
    };
  }, []);
}
