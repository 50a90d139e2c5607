import type { Envelope } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { isStorableJson } from '@lintel/persistence';

/** Characters of `id`, of `source` and of `subject`: the first two are a key of an index. */
const MAX_NAME_LENGTH = 255;
const MAX_SUBJECT_LENGTH = 1_000;
/** Characters of an event with its data, which has at most 256 KiB where Lintel publishes it. */
const MAX_EVENT_LENGTH = 300 * 1024;

/**
 * The text of an event of another application, as it is stored.
 *
 * @throws PlatformError that is not retried, if it is too long, nested too deeply, or has a text that cannot be stored
 */
export function textOfEvent(envelope: Envelope): string {
  const { id, source, subject = '' } = envelope;
  const isNamed = [id, source].every(({ length }) => length > 0 && length <= MAX_NAME_LENGTH);
  try {
    const json = JSON.stringify(envelope);
    const isShort = subject.length <= MAX_SUBJECT_LENGTH && json.length <= MAX_EVENT_LENGTH;
    if (isNamed && isShort && isStorableJson(json)) return json;
  } catch (cause) {
    throw new PlatformError('REQ_BODY_TOO_LARGE', 'The event is nested too deeply', { cause });
  }
  throw new PlatformError(
    'REQ_BODY_TOO_LARGE',
    'The event is too long, has no id or source, or a character that cannot be stored',
  );
}
