/** Batches items: delivers the first one immediately and collects the following ones for a short time. */
export class Batcher<T> {
  private pending: T[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly deliver: (batch: T[]) => void,
  ) {}

  add(item: T): void {
    this.pending.push(item);
    if (this.timer === undefined) this.flush();
  }

  /** Stops and drops items that were not delivered yet. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = [];
  }

  private readonly flush = () => {
    this.timer = undefined;
    if (this.pending.length === 0) return;
    const batch = this.pending;
    this.pending = [];
    this.timer = setTimeout(this.flush, this.everyMs);
    this.deliver(batch);
  };
}
