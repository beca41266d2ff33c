import { answerOf } from "../api/plain";

export interface ImportRequest {
  crontab: string;
  host: string | null;
  zone: string;
  dry_run: boolean;
}

export interface ImportLine {
  line: number;
  text: string;
  status: "ok" | "skipped" | "wrong";
  note?: string | null;
  label?: string | null;
  /** When, as far as the hub says so. */
  schedule?: { cron_expr?: string; description?: string } | null;
}

export interface Imported {
  lines: ImportLine[];
  created: number;
}

export function importCrontab(org: string, body: ImportRequest): Promise<Imported> {
  return answerOf("POST", `/orgs/${encodeURIComponent(org)}/jobs/triggers/import`, body);
}
