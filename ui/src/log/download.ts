import type { FetchLog } from "./log-store";

const CHUNK_LINES = 10_000;

/** Puts the whole output into a file, piece by piece, as it was written. */
export async function download(fetchLog: FetchLog, total: number, name: string): Promise<void> {
  const parts: string[] = [];
  const signal = new AbortController().signal;
  for (let after = 0; after < total; ) {
    const { lines } = await fetchLog({ after, limit: CHUNK_LINES }, signal);
    if (lines.length === 0) break;
    parts.push(lines.map(({ text }) => `${text}\n`).join(""));
    after = lines.at(-1)?.no ?? total;
  }
  const url = URL.createObjectURL(new Blob(parts, { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
