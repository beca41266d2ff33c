/** Batches items: delivers the first one immediately and collects the following ones for a short time. */
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

  /** Stops and drops items that were not delivered yet. */
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
