/** Shortest interval between two refetches. */
const FIRST_MS = 200;
/** Longest interval, used under load. */
const MAX_MS = 2000;
/** More events than this between two refetches count as load. */
const MANY = 20;

/** Throttles refetches: immediate after a quiet period, less frequent the more events arrive. */
export class RefetchThrottle {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private refetchedAt = Number.NEGATIVE_INFINITY;
  private interval = FIRST_MS;
  private events = 0;

  constructor(
    private readonly refetch: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Records an event and schedules a refetch. */
  trigger(): void {
    this.events += 1;
    if (this.timer !== undefined) return;
    this.timer = setTimeout(this.run, Math.max(0, this.refetchedAt + this.interval - this.now()));
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private readonly run = (): void => {
    this.timer = undefined;
    this.interval = this.events > MANY ? Math.min(MAX_MS, this.interval * 2) : FIRST_MS;
    this.events = 0;
    this.refetchedAt = this.now();
    this.refetch();
  };
}
