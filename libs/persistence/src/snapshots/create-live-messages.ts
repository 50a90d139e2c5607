import { declareCache, type LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions } from './create-live-snapshot.ts';

const MESSAGES = declareCache({
  name: 'messages',
  holds: 'the texts in the database, which take precedence over those of the files',
  where: ['data', 'reports'],
  keyedBy: 'one value',
  maxEntries: 1,
  invalidatedBy: ['data.messages.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: used until the maximum age, then 503. Loaded again after half of that age',
});

/**
 * Creates the current texts for a service: those that administrators store in the database, which take precedence, and
 * those of the files. They are read at the start and when they change (`data.messages.changed.v1`; attach it with
 * `attachInvalidation`).
 *
 * @param options `read` is `messageReader` of `@lintel/application`
 * @throws the error of the database when the view cannot be read within a minute
 */
export const createLiveMessages = <M>(options: LiveSnapshotOptions<M>): Promise<LiveValue<M>> =>
  createLiveSnapshot(MESSAGES, 'sys.message_snapshot', options);
