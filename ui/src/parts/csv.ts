/** A cell as spreadsheets read it. What begins like a formula is kept from being one. */
function cell(value: string | number | undefined | null): string {
  const written = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(written) && Number.isNaN(Number(written)) ? `'${written}` : written;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as comma-separated values, the names of the columns first. */
export function toCsv(
  names: readonly string[],
  rows: readonly (readonly (string | number | undefined | null)[])[],
): string {
  return [names, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
