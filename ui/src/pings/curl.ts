/** A curl command that reports success, for the end of a script. */
export function curlLine(url: string): string {
  return `curl -fsS -m 10 --retry 3 -o /dev/null ${url}`;
}

/** A shell line that reports the start and the exit code of a program. */
export function curlAround(url: string): string {
  return `curl -fsS -m 10 ${url}/start; your-program; curl -fsS -m 10 --retry 3 ${url}/$?`;
}
