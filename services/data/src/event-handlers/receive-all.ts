import { isPlatformError } from '@lintel/errors';
import type { ReceivedEvents } from '@lintel/persistence';

/** Stores events; returns why those are refused that the database refuses for good, and not the others with them. */
export async function receiveAll(
  texts: readonly string[],
  store: ReceivedEvents,
): Promise<ReadonlyMap<string, unknown>> {
  const refusals = new Map<string, unknown>();
  try {
    await store.receive(texts);
  } catch (error) {
    if (!isPlatformError(error) || error.retryable || texts.length === 1) throw error;
    for (const text of texts) await store.receive([text]).catch((refusal: unknown) => refusals.set(text, refusal));
  }
  return refusals;
}
