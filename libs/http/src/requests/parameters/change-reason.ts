import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { noteChangeReason } from '@lintel/telemetry';

const HEADER = 'x-change-reason';
const MAX_LENGTH = 500;

/**
 * Notes why the request changes something: `X-Change-Reason`, in UTF-8 or Latin-1 (contract/history.md#reason).
 *
 * @throws PlatformError REQ_INVALID_PARAMETER for an empty or a long reason
 */
export function receiveChangeReason({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const sent = headers[HEADER];
  if (sent === undefined) return;
  const bytes = Buffer.from(String(sent), 'latin1');
  const reason = (isUtf8(bytes) ? bytes.toString('utf8') : String(sent)).trim();
  if (reason === '' || reason.length > MAX_LENGTH)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `Header 'X-Change-Reason' must have 1 to ${MAX_LENGTH} characters`,
    );
  noteChangeReason(reason);
}
