import type { ServerReady, ServerRestart, ServerSpec } from "../api/model";
import { serverText as words } from "../messages/server";
import { joinWords } from "../parts/shell-words";
import { bytes, duration } from "../time/format";

const seconds = (count: number) => duration(count * 1000);

export function readyText(ready: ServerReady): string {
  const condition = () => {
    switch (ready.kind) {
      case "tcp":
        return words.ready.tcp(`${ready.host ?? "127.0.0.1"}:${ready.port ?? ""}`);
      case "http":
        return words.ready.http(ready.url ?? "");
      case "log":
        return words.ready.log(ready.contains ?? "");
      case "command":
        return words.ready.command(joinWords(ready.argv ?? []));
      default:
        return words.ready.up;
    }
  };
  return `${condition()}, ${words.within(seconds(ready.timeout_seconds))}`;
}

export function restartText(restart: ServerRestart): string {
  const policy = words.policy[restart.policy];
  if (restart.policy === "never") return policy;
  const pauses = words.backoff(seconds(restart.first_seconds), seconds(restart.cap_seconds));
  return `${policy}: ${pauses}; ${words.crashLoop(restart.loop_after)}`;
}

export function capsText({ memory_bytes, cpu_percent, processes }: ServerSpec["caps"]): string {
  const parts = [
    memory_bytes && words.cap.memory(bytes(memory_bytes)),
    cpu_percent && words.cap.cpu(cpu_percent),
    processes && words.cap.processes(processes),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : words.none;
}

/** Time of the next start attempt, parsed from the hub's state reason. */
export function nextAttempt(reason: string): string | undefined {
  return /next attempt at (\S+Z)/.exec(reason)?.[1];
}

export function retentionText(log: ServerSpec["log"]): string {
  return words.retention(bytes(log.bytes), log.days);
}
