import type { ServerSpec } from "../api/model";
import { serversText } from "../messages/servers";
import { duration } from "../time/format";

const words = serversText.steps;

/** Stop steps of a server in words. */
export function stopSteps({ stop }: Pick<ServerSpec, "stop">): string[] {
  const steps: string[] = [];
  if (stop.command) steps.push(words.command(stop.command, duration(stop.command_seconds * 1000)));
  if (stop.signal_seconds > 0) {
    steps.push(words.signal(stop.signal, duration(stop.signal_seconds * 1000)));
  }
  return [...steps, words.kill];
}
