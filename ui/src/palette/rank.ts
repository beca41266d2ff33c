export interface PaletteItem {
  id: string;
  group: "go" | "run" | "host" | "server" | "trigger" | "job";
  label: string;
  note?: string;
}

/** Match score of a name; higher is better, 0 is no match. */
export function fitness(name: string, typed: string): number {
  const [where, what] = [name.toLowerCase(), typed.toLowerCase().trim()];
  if (what === "") return 1;
  if (where === what) return 5;
  if (where.startsWith(what)) return 4;
  if (new RegExp(`[\\s._/-]${what.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`).test(where)) return 3;
  if (where.includes(what)) return 2;
  return isSubsequence(where, what) ? 1 : 0;
}

function isSubsequence(where: string, what: string): boolean {
  let at = 0;
  for (const letter of where) if (letter === what[at]) at += 1;
  return at === what.length;
}

const SHOWN_MAX = 12;

/** The best matches, best first; ties keep their order. */
export function best<T extends PaletteItem>(items: T[], typed: string): T[] {
  return items
    .map((item) => ({ item, score: fitness(item.label, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ item }) => item);
}
