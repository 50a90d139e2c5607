import { safeReason } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import { createPeriodicTask, type PeriodicTask } from '@lintel/timing';
import { removeExpiredUploads } from '../incoming/remove-expired-uploads.ts';
import type { FileStorages } from './settings/file-storages.ts';

export interface SweeperPorts {
  readonly storages: FileStorages;
  /** Milliseconds since the epoch. */
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** No upload takes as long: older ones belong to processes that have ended. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Frees the space of abandoned uploads, at the start and every hour, in every replica. */
export class Sweeper {
  readonly #ports: SweeperPorts;
  readonly #task: PeriodicTask;

  constructor(ports: SweeperPorts) {
    this.#ports = ports;
    this.#task = createPeriodicTask(
      () => this.sweep(),
      INTERVAL_MS,
      (err) => ports.logger.warn({ err }, 'abandoned uploads cannot be removed now'),
    );
  }

  /**
   * Does not wait for the storages: a service whose storage is not available starts and reports that it is not ready.
   */
  start(): void {
    this.#task.start();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  /** Cleans once. A failure of a storage is logged; the next run tries again. */
  async sweep(): Promise<void> {
    const { storages, clock, logger } = this.#ports;
    const before = new Date(clock.now() - ABANDONED_AFTER_MS);
    for (const { name, store } of storages.all) {
      try {
        const uploads =
          (await store.removeAbandoned(before)) + (await removeExpiredUploads(store.incoming, clock.now()));
        if (uploads > 0) logger.info({ storage: name, uploads }, 'abandoned uploads removed');
      } catch (err) {
        const fields = { storage: name, reason: safeReason(err), property: `svc.files.storage.${name}`, err };
        logger.warn(fields, 'the file storage cannot be used; abandoned uploads are not removed now');
      }
    }
  }
}
