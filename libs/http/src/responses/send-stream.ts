import type { ServerResponse } from 'node:http';

/**
 * Writes the pieces as fast as the client reads them, and ends the response. Unlike `pipeline` it leaves the response
 * open if the content fails, so that the error reaches the error handler, which logs it and cuts the response. Returns
 * early if the client disconnects.
 */
export async function sendStream(response: ServerResponse, content: AsyncIterable<Uint8Array>): Promise<void> {
  const occurred = (event: 'close' | 'drain' | 'finish') =>
    new Promise<undefined>((resolve) => void response.once(event, () => resolve(undefined)));
  if (response.destroyed) return;
  const closed = occurred('close');
  const pieces = content[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([pieces.next(), closed]);
    if (next === undefined) {
      // Not awaited: it may wait for a piece that is never made.
      void pieces.return?.(undefined);
      return;
    }
    if (next.done === true) break;
    if (!response.write(next.value)) await Promise.race([occurred('drain'), closed]);
  }
  const finished = occurred('finish');
  response.end();
  await Promise.race([finished, closed]);
}
