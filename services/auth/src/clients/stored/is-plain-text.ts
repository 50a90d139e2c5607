/**
 * Whether a text has only characters that can be stored and shown as they are: no control characters, no halves of
 * characters, and none that changes the direction of the text, with which a name could look like another one.
 */
export const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(text);
