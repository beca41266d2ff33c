/** Passes things on in batches: the first at once, what follows soon after together. */
export class Gather<T> {
  private held: T[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly give: (batch: T[]) => void,
  ) {}

  add(item: T): void {
    this.held.push(item);
    if (this.timer === undefined) this.flush();
  }

  /** Drops what was not passed on yet. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.held = [];
  }

  private readonly flush = () => {
    this.timer = undefined;
    if (this.held.length === 0) return;
    const batch = this.held;
    this.held = [];
    this.timer = setTimeout(this.flush, this.everyMs);
    this.give(batch);
  };
}
