import type { Envelope } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { EventBus, Subscription } from '../src/index.ts';

/** A bus whose connection and refusals the test decides. */
export class FakeBus implements EventBus {
  readonly published: string[] = [];
  /** Number of events the next publications take before they fail. */
  readonly failAfter: number[] = [];
  connected = true;
  publications = 0;
  private readonly listeners: ((state: 'connected' | 'disconnected') => void)[] = [];

  async publish(envelopes: readonly Envelope[]): Promise<void> {
    this.publications += 1;
    await new Promise(setImmediate);
    const taken = this.connected ? (this.failAfter.shift() ?? envelopes.length) : 0;
    this.published.push(...envelopes.slice(0, taken).map((envelope) => envelope.id));
    if (taken < envelopes.length) throw new PlatformError('BUS_UNAVAILABLE');
  }

  async subscribe(): Promise<Subscription> {
    return { close: async () => {} };
  }

  onConnection(listener: (state: 'connected' | 'disconnected') => void): void {
    this.listeners.push(listener);
  }

  isConnected(): boolean {
    return this.connected;
  }

  change(connected: boolean): void {
    this.connected = connected;
    for (const listener of this.listeners) listener(connected ? 'connected' : 'disconnected');
  }

  async close(): Promise<void> {
    this.connected = false;
  }
}
