import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@lintel/telemetry';
import type { ControlConnection } from './control-connection.ts';

/** The channel on which relays learn of new outbox entries. */
export const OUTBOX_CHANNEL = 'lintel_outbox';

/** Under load one notification stands for all commits of this long; the first one is never delayed. */
const INTERVAL_MS = 10;

/**
 * Wakes the relays after commits. Notifying inside the transactions would make all of them commit one
 * after another, each waiting for the disk: PostgreSQL holds one lock for the whole cluster from the
 * commit of a notifying transaction to its end. So one notification follows any number of commits, on
 * the control connection and without waiting for the disk. One that is lost with this process delays
 * its events until the relay's next periodic look.
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

  /** Resolves when nothing is left to be sent. */
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
      this.logger?.warn({ err: error }, 'The outbox relays could not be woken; they look by themselves');
    } finally {
      this.running = undefined;
    }
  }
}
