export interface PaletteItem {
  id: string;
  group: "go" | "run" | "host" | "server" | "trigger" | "job";
  label: string;
  note?: string;
}

/** Match score of a name; higher is better, 0 is no match. */
export function matchScore(name: string, typed: string): number {
  const [text, query] = [name.toLowerCase(), typed.toLowerCase().trim()];
  if (query === "") return 1;
  if (text === query) return 5;
  if (text.startsWith(query)) return 4;
  if (new RegExp(`[\\s._/-]${query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`).test(text)) return 3;
  if (text.includes(query)) return 2;
  return isSubsequence(text, query) ? 1 : 0;
}

function isSubsequence(text: string, query: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === query[at]) at += 1;
  return at === query.length;
}

const SHOWN_MAX = 12;

/** The best matches, best first; ties keep their order. */
export function bestMatches<T extends PaletteItem>(items: T[], typed: string): T[] {
  return items
    .map((item) => ({ item, score: matchScore(item.label, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ item }) => item);
}
