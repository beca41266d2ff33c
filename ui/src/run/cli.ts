import { joinWords } from "../parts/shell-words";
import type { Aim } from "./target";

/** The CLI command that creates the same job. */
export function commandOf(definition: string, payload: unknown, aim: Aim): string {
  const words = ["hostler", "run", definition];
  if (typeof payload === "object" && payload !== null) {
    for (const [name, value] of Object.entries(payload)) {
      words.push(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
    }
  }
  if (aim.kind === "host" && aim.host) words.push("--on", aim.host);
  if (aim.kind === "selector" && aim.selector.trim()) words.push("-l", aim.selector.trim());
  return joinWords([...words, "-f"]);
}
