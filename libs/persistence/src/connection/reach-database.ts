import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@lintel/errors';
import type { Logger } from '@lintel/telemetry';
import { failureReason } from '../errors/failure-reason.ts';
import { type CheckedOptions, checkDatabase } from './assert-database.ts';

/** How a service waits for its database. */
export interface ReachOptions {
  /** Says once that the service waits, and why, and once that it goes on. */
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Of the URL; `svc.datasource.url` by default. */
  readonly property?: string;
  /** Maximum time; three minutes by default. */
  readonly withinMs?: number;
}

const INTERVAL_MS = 500;
const WITHIN_MS = 180_000;

/**
 * Checks the database of a service as `assertDatabase` does, and waits while its server cannot be reached.
 *
 * @throws StartError as `assertDatabase`, and with the reason where the server cannot be reached in time
 */
export async function reachDatabase(options: CheckedOptions, reachOptions: ReachOptions): Promise<void> {
  const { logger, property = 'svc.datasource.url', withinMs = WITHIN_MS } = reachOptions;
  const endMs = performance.now() + withinMs;
  for (let isWaiting = false; ; isWaiting = true) {
    const error = await checkDatabase(options, property);
    if (error === undefined) {
      if (isWaiting) logger.info({ property }, 'the database can be reached');
      return;
    }
    const reason = failureReason(error);
    if (performance.now() >= endMs) throw new StartError(`The database of ${property} cannot be reached: ${reason}`);
    if (!isWaiting) logger.warn({ property, reason }, 'waiting for the database');
    await sleep(INTERVAL_MS);
  }
}
