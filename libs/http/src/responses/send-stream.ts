import type { ServerResponse } from 'node:http';

/**
 * Writes the pieces as fast as the client reads them, and ends the response. Unlike `pipeline` it leaves the response
 * open if the content fails, so that the error reaches the error handler, which logs it and cuts the response. Returns
 * early if the client disconnects.
 */
export async function sendStream(response: ServerResponse, content: AsyncIterable<Uint8Array>): Promise<void> {
  if (response.destroyed) return;
  // One callback that is replaced: a race with one promise would keep every piece until the response is closed.
  let onClose = (): void => {};
  response.once('close', () => onClose());
  /** Undefined if the client disconnects before. */
  const unlessClosed = <T>(start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void) =>
    new Promise<T | undefined>((resolve, reject) => {
      onClose = () => resolve(undefined);
      if (response.destroyed) onClose();
      else start(resolve, reject);
    });
  const pieces = content[Symbol.asyncIterator]();
  for (;;) {
    const next = await unlessClosed<IteratorResult<Uint8Array>>((resolve, reject) => {
      pieces.next().then(resolve, reject);
    });
    if (next === undefined) {
      // Not awaited: it may wait for a piece that is never made.
      void pieces.return?.(undefined);
      return;
    }
    if (next.done === true) break;
    if (!response.write(next.value))
      await unlessClosed<void>((resolve) => {
        response.once('drain', resolve);
      });
  }
  await unlessClosed<void>((resolve) => {
    response.end(resolve);
  });
}
