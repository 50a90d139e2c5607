import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { preferencesOf } from './preferences.ts';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a write is rolled back at its end: `Prefer: tx=rollback`, or `dryRun=true` (contract/writing.md#rehearsal).
 *
 * @param isOfApplication whether code of the application handles the request: GET may write, and only `tx=rollback` counts
 * @throws PlatformError REQ_INVALID_PARAMETER for another value: the write must not be executed by mistake
 */
export function isRehearsal(
  { method = '', headers, url = '' }: Pick<IncomingMessage, 'method' | 'headers' | 'url'>,
  isOfApplication = false,
): boolean {
  if (!isOfApplication && SAFE.includes(method)) return false;
  const tx = headers.prefer === undefined ? undefined : preferencesOf(headers.prefer).get('tx');
  if (tx === 'rollback') return true;
  if (!isOfApplication && tx !== undefined && tx !== 'commit')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Preference 'tx' must be rollback or commit");
  const start = url.indexOf('?');
  if (isOfApplication || start < 0) return false;
  const values = new URLSearchParams(url.slice(start)).getAll('dryRun');
  if (values.some((value) => value !== 'true' && value !== 'false'))
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'dryRun' must be true or false");
  return values.includes('true');
}

/**
 * Refuses a rehearsal where the effects of the request cannot be rolled back: before anything happens.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function refuseRehearsal(request: Parameters<typeof isRehearsal>[0], isOfApplication = false): void {
  if (isRehearsal(request, isOfApplication))
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'This request cannot be rehearsed: leave out the preference tx=rollback and the parameter dryRun',
    );
}
