import type { IncomingStore } from './incoming-store.ts';
import { expiryOf } from './upload-id.ts';

/** Removes the uploads that may not be continued any more. Returns their number. */
export async function removeExpiredUploads(incoming: IncomingStore, now: number): Promise<number> {
  let removed = 0;
  for (const key of await incoming.ids()) {
    const expiresAt = expiryOf(key);
    if (expiresAt === undefined || expiresAt > now) continue;
    await incoming.remove(key);
    removed += 1;
  }
  return removed;
}
