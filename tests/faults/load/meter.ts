/** How many requests were carried out, and when. */
export class Meter {
  private readonly successesMs: number[] = [];
  private readonly refusals: { readonly atMs: number; readonly reason: string; readonly waitedMs: number }[] = [];

  succeeded(): void {
    this.successesMs.push(performance.now());
  }

  /** `reason`: a status, or that there was no response at all. */
  refused(reason: string, waitedMs: number): void {
    this.refusals.push({ atMs: performance.now(), reason, waitedMs });
  }

  /** Requests carried out per second. */
  rateBetween(fromMs: number, toMs: number): number {
    const count = this.successesMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
    return (count * 1_000) / Math.max(1, toMs - fromMs);
  }

  countSince(fromMs: number): number {
    return this.successesMs.filter((atMs) => atMs >= fromMs).length;
  }

  /** How long the one waited at most that was refused. */
  longestRefusalMs(): number {
    return Math.max(0, ...this.refusals.map(({ waitedMs }) => waitedMs));
  }

  refusalsBetween(fromMs: number, toMs: number): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { atMs, reason } of this.refusals)
      if (atMs >= fromMs && atMs < toMs) counts[reason] = (counts[reason] ?? 0) + 1;
    return counts;
  }
}
