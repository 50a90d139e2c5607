import { PlatformError } from '@lintel/errors';
import type { IncomingStore } from '../incoming/incoming-store.ts';
import { unfinishedKeyOf, unfinishedPrefixOf } from '../incoming/upload-id.ts';

/** Uploads that one user may have begun and not ended, in one storage. */
export const MAX_UNFINISHED = 100;

/**
 * Counts an upload among the unfinished ones of a caller, until it is complete, ended or expired. The record is stored
 * before the others are counted, so that simultaneous requests do not exceed the maximum together.
 *
 * @returns the key of the record
 * @throws REQ_TOO_MANY_REQUESTS
 */
export async function countUnfinished(incoming: IncomingStore, caller: string, uploadKey: string): Promise<string> {
  const key = unfinishedKeyOf(caller, uploadKey);
  await incoming.createRecord(key, 'upload', '');
  if ((await incoming.ids(unfinishedPrefixOf(caller))).length <= MAX_UNFINISHED) return key;
  await incoming.remove(key);
  throw new PlatformError(
    'REQ_TOO_MANY_REQUESTS',
    `At most ${MAX_UNFINISHED} resumable uploads of a user may be unfinished: complete or delete one, or wait until it expires`,
    { headers: { 'Retry-After': '60' } },
  );
}
