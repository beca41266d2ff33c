import { client, unwrap } from "../api/client";
import type { components } from "../api/schema";

export type ImportRequest = components["schemas"]["ImportRequest"];
export type ImportResult = "ready" | "needs_shell" | "not_understood" | "variable";
export type ImportLine = Omit<components["schemas"]["ImportedLine"], "verdict"> & { verdict: ImportResult };

export async function importCrontab(org: string, body: ImportRequest) {
  const { lines, taken } = await unwrap(
    client.POST("/api/v1/orgs/{org}/jobs/triggers/import", { params: { path: { org } }, body }),
  );
  return { lines: lines as ImportLine[], taken };
}

export type Imported = Awaited<ReturnType<typeof importCrontab>>;
