/** Shortest interval between two refetches. */
const FIRST_MS = 200;
/** Longest interval, used under load. */
const MAX_MS = 2000;
/** More events than this between two refetches count as load. */
const MANY = 20;

/** Throttles refetches: immediate after a quiet period, less frequent the more events arrive. */
export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;
  private gap = FIRST_MS;
  private happened = 0;

  constructor(
    private readonly ask: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Records an event and schedules a refetch. */
  happen(): void {
    this.happened += 1;
    if (this.timer !== undefined) return;
    this.timer = setTimeout(this.run, Math.max(0, this.askedAt + this.gap - this.now()));
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private readonly run = (): void => {
    this.timer = undefined;
    this.gap = this.happened > MANY ? Math.min(MAX_MS, this.gap * 2) : FIRST_MS;
    this.happened = 0;
    this.askedAt = this.now();
    this.ask();
  };
}
