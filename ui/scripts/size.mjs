// Sums what a browser loads for the list of hosts, as the hub sends it (brotli 11), and holds it to a budget.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const BUDGET = 250_000;
/** The page itself, and what the router loads with it. */
const ENTRIES = ["index.html", "src/frame/Frame.tsx", "src/hosts/HostsPage.tsx"];
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const files = new Set();
const seen = new Set();
const visit = (key) => {
  if (seen.has(key)) return;
  seen.add(key);
  const chunk = manifest[key];
  if (!chunk) throw new Error(`the manifest has no ${key}`);
  for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
  for (const next of chunk.imports ?? []) visit(next);
};
for (const entry of ENTRIES) visit(entry);
files.add("boot.js");

const packed = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
const rows = [...files]
  .filter((file) => /\.(js|css|woff2)$/.test(file))
  .map((file) => {
    const bytes = readFileSync(new URL(file, dist));
    // Fonts are compressed already and are sent as they are.
    return [file, file.endsWith(".woff2") ? bytes.length : packed(bytes)];
  })
  .sort((a, b) => b[1] - a[1]);

for (const [file, size] of rows) console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${file}`);
const total = rows.reduce((sum, [, size]) => sum + size, 0);
console.log(`${(total / 1000).toFixed(1).padStart(7)} kB  in all, of ${BUDGET / 1000} kB`);
if (total > BUDGET) process.exitCode = 1;
