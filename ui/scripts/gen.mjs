// Generates src/api/schema.d.ts from docs/openapi.json; with --check only tests whether it is current.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTs, { astToString } from "openapi-typescript";

const FROM = new URL("../../docs/openapi.json", import.meta.url);
const TO = new URL("../src/api/schema.d.ts", import.meta.url);

const description = JSON.parse(readFileSync(FROM, "utf8"));
// Operation IDs are not unique, and duplicates would get the types of each other; paths are unique.
for (const path of Object.values(description.paths)) {
  for (const operation of Object.values(path)) delete operation.operationId;
}

const head = "/** Made by `npm run gen` from docs/openapi.json: do not edit. */\n\n";
const made = head + astToString(await openapiTs(description));

if (!process.argv.includes("--check")) {
  writeFileSync(TO, made);
} else if (readFileSync(TO, "utf8") === made) {
  console.log("src/api/schema.d.ts is current");
} else {
  console.error("src/api/schema.d.ts is not current: npm run gen");
  process.exit(1);
}
