import type { LogLine } from "../api/model";

export interface LogAsk {
  after?: number;
  tail?: number;
  limit?: number;
  wait?: number;
}

/** Some lines, and where to go on. */
export interface LogPart {
  lines: LogLine[];
  last: number;
  is_complete: boolean;
}

export type FetchLog = (ask: LogAsk, signal: AbortSignal) => Promise<LogPart>;

/** Lines asked for at once, and kept together. */
const PAGE_LINES = 500;
/** So many pages are kept: a long log is never held whole. */
const PAGES_KEPT = 64;
const FIRST_LINES = 1000;
const FOLLOW_LINES = 2000;
/** The hub answers when something comes, at the latest after this many seconds. */
const WAIT_SECONDS = 20;
const RETRY_MS = 2000;

interface LinesPage {
  /** The first line that is known; lines before it in this page were not asked for yet. */
  from: number;
  lines: (LogLine | undefined)[];
}

/** The output of one run: pages on demand, and what comes while it runs. */
export class LogStore {
  private readonly pages = new Map<number, LinesPage>();
  private readonly asked = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private readonly stopper = new AbortController();
  /** What is being waited for. */
  private asking = new AbortController();
  private changes = 0;
  /** The number of the last line there is. */
  total = 0;
  /** Whether the run is over, as far as the hub knows; its last lines may still be on their way. */
  isEnded = false;
  isComplete = false;
  isStarted = false;
  error: unknown;

  /** `recheckMs`: how long to wait before asking again after the end, each time. */
  constructor(
    private readonly fetchLog: FetchLog,
    private readonly recheckMs: () => readonly number[] = () => [],
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly version = (): number => this.changes;

  /** Reads the end, then goes on as lines come, until the run is over or the store is stopped. */
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
        // The end of a run can be known before its last lines are there.
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

  /** Nobody looks: what is waited for is given up. */
  rest(): void {
    this.asking.abort();
  }

  stop(): void {
    this.stopper.abort();
    this.asking.abort();
  }

  /** A line; `null` if it is not kept, `undefined` if it was not asked for yet. */
  line(no: number): LogLine | null | undefined {
    const page = this.pages.get(pageOf(no));
    if (!page || no < page.from) return undefined;
    return page.lines[(no - 1) % PAGE_LINES] ?? null;
  }

  /** Asks for what is missing of these lines. */
  want(first: number, last: number): void {
    for (let number = pageOf(first); number <= pageOf(Math.min(last, this.total)); number += 1) {
      const start = number * PAGE_LINES + 1;
      const page = this.pages.get(number);
      if (page && page.from <= start) {
        // The most recently looked at are dropped last.
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

  /** Says whether the run is over. */
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
