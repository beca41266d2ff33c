import { copyText } from "../parts/copy";
import { stripAnsi } from "./ansi";
import type { FetchLog } from "./log-store";

const CHUNK_LINES = 10_000;
/** Longer logs are downloaded as gzip. */
const PLAIN_LINES = 20_000;

/** Downloads the whole output, page by page, with its escape sequences. */
export async function download(fetchLog: FetchLog, total: number, name: string): Promise<void> {
  const content = new Blob(await parts(fetchLog, total, (text) => text), { type: "text/plain" });
  const isCompressed = total > PLAIN_LINES && "CompressionStream" in window;
  const url = URL.createObjectURL(isCompressed ? await compress(content) : content);
  const link = document.createElement("a");
  link.href = url;
  link.download = isCompressed ? `${name}.gz` : name;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Copies the whole output as plain text. */
export async function copyAll(fetchLog: FetchLog, total: number): Promise<boolean> {
  const content = (await parts(fetchLog, total, stripAnsi)).join("");
  return copyText(content, document.body.firstElementChild as HTMLElement);
}

function compress(content: Blob): Promise<Blob> {
  return new Response(content.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

async function parts(
  fetchLog: FetchLog,
  total: number,
  convert: (text: string) => string,
): Promise<string[]> {
  const chunks: string[] = [];
  const { signal } = new AbortController();
  for (let after = 0; after < total; ) {
    const { lines } = await fetchLog({ after, limit: CHUNK_LINES }, signal);
    if (lines.length === 0) break;
    chunks.push(lines.map(({ text }) => `${convert(text)}\n`).join(""));
    after = lines.at(-1)?.no ?? total;
  }
  return chunks;
}
