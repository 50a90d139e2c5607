/**
 * A text that XML can hold: control characters and halves of characters, which no escape makes legal, are left
 * out (XML 1.0, 2.2). One of them makes Office offer to repair the document.
 */
export const toXmlText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
