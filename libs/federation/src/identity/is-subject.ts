import { isStorable } from '@lintel/persistence';

const MAX_SUBJECT = 255;

/** Whether a text can be stored as the subject of an issuer (OpenID Connect Core 2: at most 255 characters). */
export const isSubject = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= MAX_SUBJECT && isStorable(text);
