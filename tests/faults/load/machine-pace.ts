const SPIN_MS = 6;
const INTERVAL_MS = 300;

/**
 * How much of a processor a process gets that wants one: 1 on a machine with nothing else to do, a tenth where ten
 * others want it as well. A rate that falls with it says nothing about the system under test.
 */
export class MachinePace {
  private readonly samples: { readonly atMs: number; readonly pace: number }[] = [];
  private readonly timer = setInterval(() => this.sample(), INTERVAL_MS);

  /** 1 where it was never looked at in between. */
  between(fromMs: number, toMs: number): number {
    const paces = this.samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ pace }) => pace);
    return paces.length === 0 ? 1 : paces.reduce((sum, pace) => sum + pace, 0) / paces.length;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const beganMs = performance.now();
    const before = process.threadCpuUsage();
    let usedMs = 0;
    while (usedMs < SPIN_MS) {
      const { user, system } = process.threadCpuUsage(before);
      usedMs = (user + system) / 1_000;
    }
    this.samples.push({ atMs: beganMs, pace: Math.min(1, usedMs / (performance.now() - beganMs)) });
  }
}
