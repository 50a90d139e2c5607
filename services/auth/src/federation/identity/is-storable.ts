const MAX_SUBJECT = 255;

/** Whether a column can store a text, such as the id of a session at a provider. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Whether a text can be stored as the subject of an issuer (OpenID Connect Core 2: at most 255 characters). */
export const isSubject = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= MAX_SUBJECT && isStorable(text);
