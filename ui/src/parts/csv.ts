/** A CSV cell. Values that look like formulas are escaped, so that spreadsheets do not run them. */
function cell(value: string | number | undefined | null): string {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV with a header line. */
export function toCsv(
  names: readonly string[],
  rows: readonly (readonly (string | number | undefined | null)[])[],
): string {
  return [names, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
