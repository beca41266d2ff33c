import type { LogLine } from "../api/model";

export interface LogRequest {
  after?: number;
  tail?: number;
  limit?: number;
  wait?: number;
}

/** A page of lines, with the position of the last one. */
export interface LogChunk {
  lines: LogLine[];
  last: number;
  is_complete: boolean;
}

export type FetchLog = (request: LogRequest, signal: AbortSignal) => Promise<LogChunk>;

/** Lines per page. */
const PAGE_LINES = 500;
/** Pages kept in memory; older ones are evicted. */
const PAGES_KEPT = 64;
const FIRST_LINES = 1000;
const FOLLOW_LINES = 2000;
/** Long-poll timeout. */
const WAIT_SECONDS = 20;
const RETRY_MS = 2000;

interface LinesPage {
  /** First loaded line; earlier lines of this page were not requested yet. */
  from: number;
  lines: (LogLine | undefined)[];
}

/** Log of one run: loads pages on demand and follows new lines. */
export class LogStore {
  private readonly pages = new Map<number, LinesPage>();
  private readonly requested = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private readonly stopAbort = new AbortController();
  /** Aborts the current long poll. */
  private pollAbort = new AbortController();
  private changes = 0;
  /** Number of the last line. */
  total = 0;
  /** Whether the hub reports the run as finished; its last lines may still arrive. */
  isEnded = false;
  isComplete = false;
  isStarted = false;
  error: unknown;

  /** `recheckMs`: delays of the requests for late lines after the end of the run. */
  constructor(
    private readonly fetchLog: FetchLog,
    private readonly recheckMs: () => readonly number[] = () => [],
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly version = (): number => this.changes;

  /** Loads the end of the log and follows it until the run is finished or the store is stopped. */
  async run(waitUntilActive: () => Promise<void>): Promise<void> {
    const { signal } = this.stopAbort;
    let rechecks: number[] | undefined;
    while (!signal.aborted && !this.isComplete) {
      try {
        await waitUntilActive();
        this.pollAbort = new AbortController();
        const request = this.isStarted
          ? { after: this.total, limit: FOLLOW_LINES, ...(rechecks ? {} : { wait: WAIT_SECONDS }) }
          : { tail: FIRST_LINES };
        const isFinished = this.storeResponse(await this.fetchLog(request, this.pollAbort.signal));
        this.isStarted = true;
        this.error = undefined;
        if (!isFinished) continue;
        this.isEnded = true;
        // The hub can learn of the end of a run before its last lines arrive.
        rechecks ??= [...this.recheckMs()];
        const delay = rechecks.shift();
        if (delay === undefined) this.isComplete = true;
        this.notify();
        if (delay !== undefined) await sleep(delay);
      } catch (cause) {
        if (signal.aborted) return;
        if (this.pollAbort.signal.aborted) continue;
        this.error = cause;
        this.notify();
        await sleep(RETRY_MS);
      }
    }
  }

  /** Aborts the long poll while the log is not visible. */
  abortPoll(): void {
    this.pollAbort.abort();
  }

  stop(): void {
    this.stopAbort.abort();
    this.pollAbort.abort();
  }

  /** A line; `null` if the hub has not stored it, `undefined` if it is not loaded yet. */
  line(no: number): LogLine | null | undefined {
    const page = this.pages.get(pageOf(no));
    if (!page || no < page.from) return undefined;
    return page.lines[(no - 1) % PAGE_LINES] ?? null;
  }

  /** Loads the missing pages of these lines. */
  ensureLoaded(first: number, last: number): void {
    for (let number = pageOf(first); number <= pageOf(Math.min(last, this.total)); number += 1) {
      const start = number * PAGE_LINES + 1;
      const page = this.pages.get(number);
      if (page && page.from <= start) {
        // Re-inserting makes the map evict the least recently used page first.
        this.pages.delete(number);
        this.pages.set(number, page);
      } else if (!this.requested.has(number)) void this.load(number, start);
    }
  }

  private async load(number: number, start: number): Promise<void> {
    this.requested.add(number);
    try {
      const response = await this.fetchLog({ after: start - 1, limit: PAGE_LINES }, this.stopAbort.signal);
      this.storeLines(response.lines.filter(({ no }) => pageOf(no) === number));
      const page = this.pages.get(number) ?? { from: start, lines: [] };
      page.from = start;
      this.pages.set(number, page);
      this.error = undefined;
    } catch (cause) {
      if (!this.stopAbort.signal.aborted) this.error = cause;
    } finally {
      this.requested.delete(number);
      this.notify();
    }
  }

  /** Stores a response; returns whether the hub reports the run as finished. */
  private storeResponse(response: LogChunk): boolean {
    this.storeLines(response.lines);
    this.total = Math.max(this.total, response.last, response.lines.at(-1)?.no ?? 0);
    this.notify();
    return response.is_complete;
  }

  private storeLines(lines: LogLine[]): void {
    for (const line of lines) {
      const number = pageOf(line.no);
      const page = this.pages.get(number) ?? { from: line.no, lines: [] };
      page.lines[(line.no - 1) % PAGE_LINES] = line;
      this.pages.set(number, page);
    }
    for (const number of this.pages.keys()) {
      if (this.pages.size <= PAGES_KEPT) break;
      this.pages.delete(number);
    }
  }

  private notify(): void {
    this.changes += 1;
    for (const listener of this.listeners) listener();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function pageOf(no: number): number {
  return Math.floor((no - 1) / PAGE_LINES);
}
