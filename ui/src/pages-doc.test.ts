import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", `file://${process.cwd()}/src/`);

function specs(): Map<string, string[]> {
  const folder = new URL("e2e/", root);
  const files = readdirSync(folder).filter((name) => name.endsWith(".spec.ts"));
  return new Map(
    files.map((name) => {
      const source = readFileSync(new URL(name, folder), "utf8");
      const names = [...source.matchAll(/\btest\(\s*"([^"]+)"/g)].map(([, title]) => title ?? "");
      return [name.replace(".spec.ts", ""), names];
    }),
  );
}

/** The tests named in a table row, as `[spec, name]`; a name without a spec belongs to the previous spec. */
function namedIn(line: string): [string, string][] {
  let spec = "";
  return (line.split("|").at(-2) ?? "").split(" · ").map((part) => {
    const [, first, rest] = /^\s*`([a-z-]+)`: (.*?)\s*$/.exec(part) ?? [];
    spec = first ?? spec;
    return [spec, (rest ?? part).trim()];
  });
}

test("every row of pages.md names existing tests", () => {
  const known = specs();
  const lines = readFileSync(new URL("../docs/pages.md", root), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.includes("| Tests |"));
  expect(lines.length).toBeGreaterThan(30);
  const missing = lines
    .flatMap(namedIn)
    .filter(([spec, name]) => !known.get(spec)?.includes(name))
    .map(([spec, name]) => `${spec}: ${name}`);
  expect(missing).toEqual([]);
});
