/**
 * Whether a text has only characters that can be stored and shown as they are: no control characters, no halves of
 * characters, and none that changes the direction of the text, with which a name could look like another one.
 */
export const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(text);

/** Whether a text can be the name of something: it is plain, and all of it is visible. Scripts and emoji need joiners. */
export const isVisibleName = (text: string): boolean =>
  isPlainText(text) &&
  /[^\s\p{DI}]/u.test(text) &&
  !/[[\p{DI}\p{Zl}\p{Zp}]--[\u200c\u200d\p{Variation_Selector}]]/v.test(text);
