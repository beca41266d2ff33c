/** Optional columns of the job list, in this order. */
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

export const DEFAULT_COLUMNS: readonly JobColumn[] = ["source", "tries", "queued", "waited", "took", "host"];

/** Parses the columns in list order; `undefined` without a parameter. "none" means no optional columns. */
export function readColumns(value: unknown): readonly JobColumn[] | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const named = value.split(",");
  const known = JOB_COLUMNS.filter((column) => named.includes(column));
  return known.length > 0 || value === NO_COLUMNS ? known : undefined;
}

const NO_COLUMNS = "none";

/** The URL form of the columns. */
export function writeColumns(columns: readonly JobColumn[]): string {
  return columns.join(",") || NO_COLUMNS;
}

export function toggleColumn(columns: readonly JobColumn[], column: JobColumn): readonly JobColumn[] {
  return JOB_COLUMNS.filter((each) => columns.includes(each) !== (each === column));
}
