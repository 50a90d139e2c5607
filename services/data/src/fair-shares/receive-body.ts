import type { IncomingMessage, ServerResponse } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { disconnectSignal, readBody } from '@lintel/http';
import { nextIteration } from '@lintel/timing';
import { currentShare } from './current-share.ts';

/** Bodies up to this size are parsed at once: parsing takes a few milliseconds, and the values little memory. */
const LARGE_BYTES = 16 * 1024;

/** A body, and the permit to parse it. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Releases the permit when the values of the body are not used any more; the end of the response releases it, too. */
  release(): void;
}

/**
 * Reads the whole body of a request whose caller `shareRequest` has set; a large one waits for a permit.
 *
 * @throws PlatformError REQ_BODY_TOO_LARGE, REQ_UNSUPPORTED_MEDIA_TYPE; REQ_TOO_MANY_REQUESTS if the caller has
 *   used up its share, REQ_OVERLOADED if too many wait
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<ReceivedBody> {
  const bytes = await readBody(request, maxBytes);
  const share = currentShare();
  if (bytes.length <= LARGE_BYTES || share?.largeBodies === undefined) return { bytes, release: () => undefined };
  const signal = disconnectSignal(response);
  const slot = await share.largeBodies.take(share.caller, 'ordinary', signal).catch((error: unknown) => {
    throw signal.aborted ? new PlatformError('REQ_INVALID_PARAMETER', 'The client has left', { cause: error }) : error;
  });
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    slot.end();
  };
  if (response.closed) release();
  else response.once('close', release);
  // The first pass over a body takes up to 25 ms, and a small request needs several iterations of the loop.
  await nextIteration();
  return { bytes, release };
}
