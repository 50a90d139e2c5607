type Work = () => Promise<void>;

/**
 * Runs work of one subject strictly one after another and work of different subjects side by side, at most
 * `concurrency` at a time. Subjects take turns, so a busy one does not starve the others. Work starts after
 * the caller's turn of the event loop and must not reject.
 */
export class SubjectLanes {
  private readonly concurrency: number;
  private readonly lanes = new Map<string, Work[]>();
  private readonly ready: string[] = [];
  private idleWaiters: (() => void)[] = [];
  private running = 0;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  add(subject: string, work: Work): void {
    const lane = this.lanes.get(subject);
    if (lane !== undefined) {
      lane.push(work);
      return;
    }
    this.lanes.set(subject, [work]);
    this.ready.push(subject);
    this.startReady();
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.lanes.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.idleWaiters.push(resolve);
    });
  }

  private startReady(): void {
    while (this.running < this.concurrency) {
      const subject = this.ready.shift();
      if (subject === undefined) return;
      this.running += 1;
      setImmediate(() => void this.runFirst(subject));
    }
  }

  private async runFirst(subject: string): Promise<void> {
    const lane = this.lanes.get(subject) ?? [];
    try {
      await lane[0]?.();
    } finally {
      lane.shift();
      this.running -= 1;
      if (lane.length === 0) this.lanes.delete(subject);
      else this.ready.push(subject);
      this.startReady();
      if (this.lanes.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
  }
}
