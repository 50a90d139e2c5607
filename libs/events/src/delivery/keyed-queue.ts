type Work = () => Promise<void>;

/**
 * Runs work of one key strictly in order and work of different keys concurrently, up to `concurrency` at a time. Keys are
 * served round-robin, so a busy one does not starve the others. Work starts in a later iteration of the event loop and
 * must not reject.
 */
export class KeyedQueue {
  private readonly concurrency: number;
  private readonly queues = new Map<string, Work[]>();
  private readonly ready: string[] = [];
  private idleWaiters: (() => void)[] = [];
  private running = 0;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  add(key: string, work: Work): void {
    const queue = this.queues.get(key);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.queues.set(key, [work]);
    this.ready.push(key);
    this.startReady();
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.queues.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.idleWaiters.push(resolve);
    });
  }

  private startReady(): void {
    while (this.running < this.concurrency) {
      const key = this.ready.shift();
      if (key === undefined) return;
      this.running += 1;
      setImmediate(() => void this.runFirst(key));
    }
  }

  private async runFirst(key: string): Promise<void> {
    const queue = this.queues.get(key) ?? [];
    try {
      await queue[0]?.();
    } finally {
      queue.shift();
      this.running -= 1;
      if (queue.length === 0) this.queues.delete(key);
      else this.ready.push(key);
      this.startReady();
      if (this.queues.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
  }
}
