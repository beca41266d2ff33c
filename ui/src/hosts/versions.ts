/** Orders "0.4.10" after "0.4.9". Invalid versions come first. */
export function compareVersions(left: string, right: string): number {
  const a = parts(left);
  const b = parts(right);
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parts(version: string): number[] {
  const core = version.split(/[-+]/, 1)[0] ?? "";
  return core.split(".").map((part) => Number.parseInt(part, 10) || 0);
}

export function newestVersion(versions: Iterable<string>): string | undefined {
  return [...versions].sort(compareVersions).at(-1);
}

export function isOlder(version: string | null | undefined, newest: string | undefined): boolean {
  return Boolean(version) && newest !== undefined && compareVersions(version ?? "", newest) < 0;
}
