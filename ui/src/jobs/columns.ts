/** What the list can show beside a job's name and state, in this order. */
export const JOB_COLUMNS = [
  "source",
  "tries",
  "queued",
  "started",
  "finished",
  "waited",
  "took",
  "host",
  "worker",
  "priority",
  "by",
] as const;

export type JobColumn = (typeof JOB_COLUMNS)[number];

export const USUAL_COLUMNS: readonly JobColumn[] = ["source", "tries", "queued", "waited", "took", "host"];

/** Those named, in the order of the list; nothing if none is named. "none" stands for no column at all. */
export function readColumns(written: unknown): readonly JobColumn[] | undefined {
  if (typeof written !== "string" || written === "") return undefined;
  const named = written.split(",");
  const known = JOB_COLUMNS.filter((column) => named.includes(column));
  return known.length > 0 || written === NO_COLUMNS ? known : undefined;
}

const NO_COLUMNS = "none";

/** As it stands in an address. */
export function writeColumns(columns: readonly JobColumn[]): string {
  return columns.join(",") || NO_COLUMNS;
}

export function toggleColumn(columns: readonly JobColumn[], column: JobColumn): readonly JobColumn[] {
  return JOB_COLUMNS.filter((each) => columns.includes(each) !== (each === column));
}
