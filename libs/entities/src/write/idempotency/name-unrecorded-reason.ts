import { IGNORED_HEADER, ignoredText } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { recordedEntities } from '@lintel/history';
import { rootOf } from '@lintel/metadata';
import { currentChangeReason } from '@lintel/telemetry';
import type { Reading } from '../read-back/read-many.ts';
import type { WriteResponse } from '../respond/write-response.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import type { WriteRequest } from '../write-call.ts';

const HEADER = 'X-Change-Reason';

/**
 * Names the reason of a write that has changed only instances without a history: it is stored nowhere
 * (contract/history.md#reason).
 *
 * @throws PlatformError REQ_WITHOUT_EFFECT where it is refused
 */
export function nameUnrecordedReason(
  written: Reading<WriteResponse>,
  { model, changes }: WriteScope,
  handling: WriteRequest['unknownMembers'] = 'ignore',
): Reading<WriteResponse> {
  if (handling === 'ignore' || currentChangeReason() === undefined) return written;
  const changed = changes.all();
  const recorded = recordedEntities(model);
  if (changed.length === 0 || changed.some(({ entity }) => recorded.has(rootOf(model, entity).name))) return written;
  if (handling === 'refuse')
    throw new PlatformError('REQ_WITHOUT_EFFECT', `Header '${HEADER}' has no effect: nothing of the write is recorded`);
  const withHeader = ({ headers, ...response }: WriteResponse): WriteResponse => {
    const ignored = [headers[IGNORED_HEADER] ?? [], ignoredText('header', [HEADER])].flat().join(', ');
    return { ...response, headers: { ...headers, [IGNORED_HEADER]: ignored } };
  };
  return { ...written, result: written.result.then(withHeader) };
}
