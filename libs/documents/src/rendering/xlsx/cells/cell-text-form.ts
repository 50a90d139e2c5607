/** Decodes characters that XML does not allow, which are written as `_x0007_` (ECMA-376-1, 22.9.2.19). */
export const fromCellText = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Encodes a text for the content of an element. */
export function toCellText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return NEEDS_CARE.test(wellFormed) ? escapeXml(wellFormed.replace(CODED, coded)) : wellFormed;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML does not allow
const CODED = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML does not allow
const NEEDS_CARE = /[&<>\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]|_x/;

const coded = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Escapes a text for the content of an element. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
