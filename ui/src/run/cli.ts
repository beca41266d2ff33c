import { joinWords } from "../parts/shell-words";
import type { TargetForm } from "./target";

/** The CLI command that creates the same job. */
export function runCommandLine(definition: string, payload: unknown, target: TargetForm): string {
  const words = ["hostler", "run", definition];
  if (typeof payload === "object" && payload !== null) {
    for (const [name, value] of Object.entries(payload)) {
      words.push(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
    }
  }
  if (target.kind === "host" && target.host) words.push("--on", target.host);
  if (target.kind === "selector" && target.selector.trim()) words.push("-l", target.selector.trim());
  return joinWords([...words, "-f"]);
}
