/** What is not as promised, in words; the load goes on, and the test fails at its end. */
export class Complaints {
  private readonly counts = new Map<string, number>();

  add(text: string): void {
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  list(): readonly string[] {
    return [...this.counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  }
}
