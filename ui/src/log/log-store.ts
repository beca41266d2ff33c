import type { LogLine } from "../api/model";

export interface LogAsk {
  after?: number;
  tail?: number;
  limit?: number;
  wait?: number;
}

/** A page of lines, with the position of the last one. */
export interface LogPart {
  lines: LogLine[];
  last: number;
  is_complete: boolean;
}

export type FetchLog = (ask: LogAsk, signal: AbortSignal) => Promise<LogPart>;

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
  private readonly asked = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private readonly stopper = new AbortController();
  /** Aborts the current long poll. */
  private asking = new AbortController();
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
  async run(untilLooked: () => Promise<void>): Promise<void> {
    const { signal } = this.stopper;
    let left: number[] | undefined;
    while (!signal.aborted && !this.isComplete) {
      try {
        await untilLooked();
        this.asking = new AbortController();
        const ask = this.isStarted
          ? { after: this.total, limit: FOLLOW_LINES, ...(left ? {} : { wait: WAIT_SECONDS }) }
          : { tail: FIRST_LINES };
        const isOver = this.take(await this.fetchLog(ask, this.asking.signal));
        this.isStarted = true;
        this.error = undefined;
        if (!isOver) continue;
        this.isEnded = true;
        // The hub can learn of the end of a run before its last lines arrive.
        left ??= [...this.recheckMs()];
        const pause = left.shift();
        if (pause === undefined) this.isComplete = true;
        this.changed();
        if (pause !== undefined) await sleep(pause);
      } catch (cause) {
        if (signal.aborted) return;
        if (this.asking.signal.aborted) continue;
        this.error = cause;
        this.changed();
        await sleep(RETRY_MS);
      }
    }
  }

  /** Aborts the long poll while the log is not visible. */
  rest(): void {
    this.asking.abort();
  }

  stop(): void {
    this.stopper.abort();
    this.asking.abort();
  }

  /** A line; `null` if the hub has not stored it, `undefined` if it is not loaded yet. */
  line(no: number): LogLine | null | undefined {
    const page = this.pages.get(pageOf(no));
    if (!page || no < page.from) return undefined;
    return page.lines[(no - 1) % PAGE_LINES] ?? null;
  }

  /** Loads the missing pages of these lines. */
  want(first: number, last: number): void {
    for (let number = pageOf(first); number <= pageOf(Math.min(last, this.total)); number += 1) {
      const start = number * PAGE_LINES + 1;
      const page = this.pages.get(number);
      if (page && page.from <= start) {
        // Re-inserting makes the map evict the least recently used page first.
        this.pages.delete(number);
        this.pages.set(number, page);
      } else if (!this.asked.has(number)) void this.load(number, start);
    }
  }

  private async load(number: number, start: number): Promise<void> {
    this.asked.add(number);
    try {
      const answer = await this.fetchLog({ after: start - 1, limit: PAGE_LINES }, this.stopper.signal);
      this.put(answer.lines.filter(({ no }) => pageOf(no) === number));
      const page = this.pages.get(number) ?? { from: start, lines: [] };
      page.from = start;
      this.pages.set(number, page);
      this.error = undefined;
    } catch (cause) {
      if (!this.stopper.signal.aborted) this.error = cause;
    } finally {
      this.asked.delete(number);
      this.changed();
    }
  }

  /** Stores a response; returns whether the hub reports the run as finished. */
  private take(answer: LogPart): boolean {
    this.put(answer.lines);
    this.total = Math.max(this.total, answer.last, answer.lines.at(-1)?.no ?? 0);
    this.changed();
    return answer.is_complete;
  }

  private put(lines: LogLine[]): void {
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

  private changed(): void {
    this.changes += 1;
    for (const listener of this.listeners) listener();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

function pageOf(no: number): number {
  return Math.floor((no - 1) / PAGE_LINES);
}
