import { copyText } from "../parts/copy";
import { plain } from "./ansi";
import type { FetchLog } from "./log-store";

const CHUNK_LINES = 10_000;
/** Longer logs are downloaded as gzip. */
const PLAIN_LINES = 20_000;

/** Downloads the whole output, page by page, with its escape sequences. */
export async function download(fetchLog: FetchLog, total: number, name: string): Promise<void> {
  const whole = new Blob(await parts(fetchLog, total, (text) => text), { type: "text/plain" });
  const isPacked = total > PLAIN_LINES && "CompressionStream" in window;
  const url = URL.createObjectURL(isPacked ? await packed(whole) : whole);
  const link = document.createElement("a");
  link.href = url;
  link.download = isPacked ? `${name}.gz` : name;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Copies the whole output as plain text. */
export async function copyAll(fetchLog: FetchLog, total: number): Promise<boolean> {
  const whole = (await parts(fetchLog, total, plain)).join("");
  return copyText(whole, document.body.firstElementChild as HTMLElement);
}

function packed(whole: Blob): Promise<Blob> {
  return new Response(whole.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

async function parts(fetchLog: FetchLog, total: number, shape: (text: string) => string): Promise<string[]> {
  const found: string[] = [];
  const { signal } = new AbortController();
  for (let after = 0; after < total; ) {
    const { lines } = await fetchLog({ after, limit: CHUNK_LINES }, signal);
    if (lines.length === 0) break;
    found.push(lines.map(({ text }) => `${shape(text)}\n`).join(""));
    after = lines.at(-1)?.no ?? total;
  }
  return found;
}
