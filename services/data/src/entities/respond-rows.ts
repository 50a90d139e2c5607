import { once } from 'node:events';
import type { Response } from 'express';

/** Texts over 128 KiB are kept among the long-lived ones: a streamed list would fill the memory with them. */
const PIECE_CHARACTERS = 32_768;

/**
 * Sends a batch of rows in pieces.
 *
 * @param opening before the first row
 * @param separator between two rows
 * @param closing after the last row
 */
export async function respondRows(
  response: Response,
  rows: readonly string[],
  { opening, separator, closing }: { readonly opening: string; readonly separator: string; readonly closing: string },
): Promise<void> {
  let from = 0;
  let characters = 0;
  for (const [at, row] of rows.entries()) {
    characters += row.length;
    const isLast = at === rows.length - 1;
    if (characters < PIECE_CHARACTERS && !isLast) continue;
    const piece = rows.slice(from, at + 1).join(separator);
    await write(response, `${from === 0 ? opening : separator}${piece}${isLast ? closing : ''}`);
    from = at + 1;
    characters = 0;
  }
}

/** Waits while the client reads more slowly than the database answers. */
async function write(response: Response, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  const closed = new AbortController();
  const onClose = (): void => closed.abort();
  response.once('close', onClose);
  try {
    await once(response, 'drain', { signal: closed.signal });
  } catch (error) {
    if (!closed.signal.aborted) throw error;
  } finally {
    response.off('close', onClose);
  }
}
