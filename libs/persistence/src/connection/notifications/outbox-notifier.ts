import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@lintel/telemetry';
import type { ControlConnection } from '../pool/control-connection.ts';

/** The channel that notifies relays of new outbox entries. */
export const OUTBOX_CHANNEL = 'lintel_outbox';

/** Under load one notification covers all commits of this interval; the first notification is never delayed. */
const INTERVAL_MS = 10;

/**
 * Wakes the relays after commits. `NOTIFY` inside the transactions would make them commit one after another, each
 * waiting for the disk, because PostgreSQL takes one lock of the whole cluster during the commit of a transaction that
 * notifies. So one notification follows any number of commits, on the control connection and without waiting for the
 * disk. If the process ends before it notifies, the events wait for the next periodic check of a relay.
 */
export class OutboxNotifier {
  private readonly control: ControlConnection;
  private readonly logger: Pick<Logger, 'warn'> | undefined;
  private pending = false;
  private running: Promise<void> | undefined;

  constructor(control: ControlConnection, logger: Pick<Logger, 'warn'> | undefined) {
    this.control = control;
    this.logger = logger;
  }

  notify(): void {
    this.pending = true;
    this.running ??= this.run();
  }

  /** Resolves when no notification is pending. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      while (this.pending) {
        this.pending = false;
        await this.control.run(`BEGIN; SET LOCAL synchronous_commit = off; NOTIFY ${OUTBOX_CHANNEL}; COMMIT`);
        await sleep(INTERVAL_MS);
      }
    } catch (error) {
      this.logger?.warn({ err: error }, 'The outbox relays could not be notified; they check periodically');
    } finally {
      this.running = undefined;
    }
  }
}
