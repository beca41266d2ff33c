import { useEffect, useRef } from "react";
import type { Command } from "./keys";

/** Handles a command; returns false if it does not apply here. */
export type Handler = () => unknown;
export type Handlers = Partial<Record<Command, Handler>>;

const stack: { current: Handlers }[] = [];

/** Runs a command with the most recently mounted handler that accepts it. Returns whether one did. */
export function runCommand(command: Command): boolean {
  return stack.toReversed().some(({ current }) => {
    const handler = current[command];
    return handler !== undefined && handler() !== false;
  });
}

/** Registers command handlers while the component is mounted. */
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
