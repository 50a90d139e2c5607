import { isPlatformError, PlatformError } from '@lintel/errors';
import type { CursorSeal } from '../../entities/paging/create-cursor-seal.ts';

/** Header of a client that resumes (WHATWG HTML, server-sent events); sent by itself. */
export const LAST_EVENT_ID = 'Last-Event-ID';

/** Of the greatest place: the length of an id must not tell how many there are. */
const PLACE_DIGITS = String(Number.MAX_SAFE_INTEGER).length;

/** Places as clients see them: sealed, so that their distances do not tell how much else happens. */
export interface SealedPlaces {
  seal(place: number): string;
  /** @throws PlatformError REQ_INVALID_PARAMETER for a text that was not sealed for the same entity */
  open(text: string): number;
}

/** Places in the feed of an entity. */
export function sealedPlaces(seal: CursorSeal, entityName: string): SealedPlaces {
  const scope = `changes ${entityName}`;
  return {
    seal: (place) => seal.seal({ order: '', values: [String(place).padStart(PLACE_DIGITS, '0')] }, scope),
    open(text) {
      try {
        return Number(seal.open(text, scope).values[0]);
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
