/**
 * Removes control characters and lone surrogates, which are not allowed in XML, even escaped (XML 1.0, 2.2). With one
 * of them Office offers to repair the document.
 */
export const toXmlText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
