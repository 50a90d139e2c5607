import type { Envelope } from '@lintel/contracts';
import type { OutboxEntry, OutboxStore } from '../src/index.ts';

/** An outbox table in memory: one batch at a time, set published only when its publication resolved. */
export class FakeOutbox implements OutboxStore {
  readonly pending: OutboxEntry[] = [];
  readonly published: string[] = [];
  /** Thrown by the next batches, before or after their publication, as a lost database would. */
  readonly failures: ('before' | 'after')[] = [];
  listenFails = false;
  batches = 0;
  listeners = 0;
  private position = 0;
  private busy = false;
  private wake: (() => void) | undefined;

  append(...envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) {
      this.position += 1;
      this.pending.push({ position: String(this.position), envelope });
    }
  }

  notify(): void {
    this.wake?.();
  }

  async relay(limit: number, publish: (entries: readonly OutboxEntry[]) => Promise<void>): Promise<number> {
    if (this.busy) throw new Error('The relay began a second batch beside the first');
    this.busy = true;
    this.batches += 1;
    try {
      const failure = this.failures.shift();
      if (failure === 'before') throw new Error('database away');
      const entries = this.pending.slice(0, limit);
      if (entries.length === 0) return 0;
      await publish(entries);
      if (failure === 'after') throw new Error('database lost before the commit');
      this.pending.splice(0, entries.length);
      this.published.push(...entries.map((entry) => entry.envelope.id));
      return entries.length;
    } finally {
      this.busy = false;
    }
  }

  async listen(wake: () => void): Promise<{ close(): Promise<void> }> {
    if (this.listenFails) throw new Error('no notifications');
    this.listeners += 1;
    this.wake = wake;
    return {
      close: async () => {
        this.listeners -= 1;
        this.wake = undefined;
      },
    };
  }
}
