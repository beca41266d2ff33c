/** One line that reports a success, for the end of a script. */
export function curlLine(url: string): string {
  return `curl -fsS -m 10 --retry 3 -o /dev/null ${url}`;
}

/** Reports the start, runs a program, and reports its exit code. */
export function curlAround(url: string): string {
  return `curl -fsS -m 10 ${url}/start; your-program; curl -fsS -m 10 --retry 3 ${url}/$?`;
}
