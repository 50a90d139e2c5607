const SPIN_MS = 6;
const INTERVAL_MS = 300;

/** Timers of a process that runs are later than this on no machine. */
const LATE_MS = 250;

/**
 * How much of a processor a process gets that wants one: 1 on a machine with nothing else to do, a tenth where ten
 * others want it as well. A rate that falls with it says nothing about the system under test.
 */
export class MachinePace {
  private readonly samples: { readonly atMs: number; readonly pace: number; readonly lateMs: number }[] = [];
  private lastMs = performance.now();
  private readonly timer = setInterval(() => this.sample(), INTERVAL_MS);

  /** 1 where it was never looked at in between. */
  between(fromMs: number, toMs: number): number {
    const paces = this.samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ pace }) => pace);
    return paces.length === 0 ? 1 : paces.reduce((sum, pace) => sum + pace, 0) / paces.length;
  }

  /** For how long the machine, or this process, stood still in between. */
  standstillBetween(fromMs: number, toMs: number): number {
    return this.samples
      .filter(({ atMs, lateMs }) => atMs >= fromMs && atMs - lateMs < toMs)
      .reduce((sum, { lateMs }) => sum + lateMs, 0);
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
    const endedMs = performance.now();
    const lateMs = Math.max(0, beganMs - this.lastMs - INTERVAL_MS) + Math.max(0, endedMs - beganMs - usedMs);
    this.samples.push({
      atMs: endedMs,
      pace: Math.min(1, usedMs / (endedMs - beganMs)),
      lateMs: lateMs > LATE_MS ? lateMs : 0,
    });
    this.lastMs = endedMs;
  }
}
