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

/**
 * Frees the space of abandoned uploads, at the start and every hour, in every replica. The start does not wait for the
 * storages: a service whose storage is not available starts and reports that it is not ready.
 */
export const createSweeper = (ports: SweeperPorts): PeriodicTask =>
  createPeriodicTask(
    () => sweep(ports),
    INTERVAL_MS,
    (err) => ports.logger.warn({ err }, 'abandoned uploads cannot be removed now'),
  );

/** A failure of a storage is logged; the next run tries again. */
async function sweep({ storages, clock, logger }: SweeperPorts): Promise<void> {
  const before = new Date(clock.now() - ABANDONED_AFTER_MS);
  for (const { name, store } of storages.all) {
    try {
      const uploads = (await store.removeAbandoned(before)) + (await removeExpiredUploads(store.incoming, clock.now()));
      if (uploads > 0) logger.info({ storage: name, uploads }, 'abandoned uploads removed');
    } catch (err) {
      const fields = { storage: name, reason: safeReason(err), property: `svc.files.storage.${name}`, err };
      logger.warn(fields, 'the file storage cannot be used; abandoned uploads are not removed now');
    }
  }
}
