/** The shortest time between two questions, in milliseconds. */
const FIRST_MS = 200;
/** The longest, when much happens. */
const MAX_MS = 2000;
/** So many events between two questions are much. */
const MANY = 20;

/** When to ask again for what changes: at once after a quiet while, and more seldom the more happens. */
export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;
  private gap = FIRST_MS;
  private happened = 0;

  constructor(
    private readonly ask: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Something happened: whoever asks after this hears of it. */
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
