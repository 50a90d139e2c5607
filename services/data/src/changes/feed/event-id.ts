import { isPlatformError, PlatformError } from '@lintel/errors';
import type { CursorCodec } from '@lintel/reading';

/** Header of a client that resumes (WHATWG HTML, server-sent events); clients send it automatically. */
export const LAST_EVENT_ID = 'Last-Event-ID';

/** Digits of the greatest number: the length of an event id must not reveal how many events there are. */
const SEQUENCE_DIGITS = String(Number.MAX_SAFE_INTEGER).length;

/** Sequence numbers as clients see them: encrypted, so that their differences do not reveal the number of other events. */
export interface EventIdCodec {
  encode(sequence: number): string;
  /** @throws PlatformError REQ_INVALID_PARAMETER for a text that was not encoded for the same entity */
  decode(text: string): number;
}

/** Creates the codec for event ids in the feed of an entity. */
export function createEventIdCodec(cursors: CursorCodec, entityName: string): EventIdCodec {
  const scope = `changes ${entityName}`;
  return {
    encode: (sequence) =>
      cursors.encode({ order: '', values: [String(sequence).padStart(SEQUENCE_DIGITS, '0')] }, scope),
    decode(text) {
      try {
        return Number(cursors.decode(text, scope).values[0]);
      } catch (cause) {
        if (!isPlatformError(cause)) throw cause;
        throw new PlatformError(
          'REQ_INVALID_PARAMETER',
          `${LAST_EVENT_ID} must be the id of an event of the changes of ${entityName}`,
          { cause },
        );
      }
    },
  };
}
