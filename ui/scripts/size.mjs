// Sums the compressed size (brotli 11) of the files of each start page, and fails above the budget.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const BUDGET = 250_000;
/** index.html, and the frame that the router loads with every page. */
const SHELL = ["index.html", "src/frame/Frame.tsx"];
const PAGES = [
  "src/overview/OverviewPage.tsx",
  "src/hosts/HostsPage.tsx",
  "src/jobs/JobsPage.tsx",
  "src/job/JobPage.tsx",
];
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const filesOf = (page) => {
  const files = new Set(["boot.js"]);
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the manifest has no entry ${key}`);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const entry of [...SHELL, page]) visit(entry);
  return [...files].filter((file) => /\.(js|css|woff2)$/.test(file));
};

const sizes = new Map();
const sizeOf = (file) => {
  const bytes = () => readFileSync(new URL(file, dist));
  const packed = () =>
    brotliCompressSync(bytes(), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  // Fonts are already compressed and sent unchanged.
  if (!sizes.has(file)) sizes.set(file, file.endsWith(".woff2") ? bytes().length : packed());
  return sizes.get(file);
};

const kB = (size) => `${(size / 1000).toFixed(1).padStart(7)} kB`;
for (const page of PAGES) {
  const rows = filesOf(page)
    .map((file) => [file, sizeOf(file)])
    .sort((a, b) => b[1] - a[1]);
  const total = rows.reduce((sum, [, size]) => sum + size, 0);
  if (total > BUDGET) {
    for (const [file, size] of rows) console.log(`${kB(size)}  ${file}`);
    process.exitCode = 1;
  }
  console.log(`${kB(total)}  ${page}, of ${BUDGET / 1000} kB`);
}
