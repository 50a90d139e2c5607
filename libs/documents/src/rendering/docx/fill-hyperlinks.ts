import type { Element } from '@xmldom/xmldom';
import { type Alias, findAliases } from '../aliases.ts';
import type { FieldValue } from './field-values.ts';
import type { WordPart } from './word-part.ts';

/** Addresses that hyperlinks of a document may have. */
const ALLOWED = /^(?:https?:|mailto:|tel:|ftp:|#|\/|\.|[^:]*$)/i;

/**
 * Substitutes aliases in the addresses of hyperlinks, which Office stores in percent encoding
 * (contract/report-templates.md#docx, 5). A value at the beginning is an address; a value after it is part of an
 * address and is encoded.
 *
 * @param valueFor undefined leaves the alias as it is
 * @param filled hyperlinks that were filled already
 */
export function fillHyperlinks(
  part: WordPart,
  hyperlinks: readonly Element[],
  valueFor: (alias: Alias) => FieldValue | undefined,
  filled: WeakSet<Element>,
): void {
  for (const hyperlink of hyperlinks) {
    if (filled.has(hyperlink)) continue;
    filled.add(hyperlink);
    const address = part.addressOf(hyperlink);
    if (address === undefined) continue;
    const target = fillAddress(decodeAliases(address), valueFor);
    if (target !== undefined) part.setAddress(hyperlink, ALLOWED.test(target) ? target : '#');
  }
}

function fillAddress(address: string, valueFor: (alias: Alias) => FieldValue | undefined): string | undefined {
  let filled = '';
  let from = 0;
  let isChanged = false;
  for (const alias of findAliases(address)) {
    const value = valueFor(alias);
    if (value?.kind !== 'text') continue;
    isChanged = true;
    const text = value.text.trim().toWellFormed();
    filled += address.slice(from, alias.start);
    filled += filled === '' ? encodeURI(text).replace(/%25(?=[0-9a-f]{2})/gi, '%') : encodeURIComponent(text);
    from = alias.end;
  }
  return isChanged ? filled + address.slice(from) : undefined;
}

/** Decodes the aliases; the rest of the address stays unchanged. */
export const decodeAliases = (address: string): string =>
  address.replace(
    /(?:\$|%24)(?:\{|%7b)((?:[A-Za-z0-9_.[\]\s]|%20|%5b|%5d)+)(?:\}|%7d)/gi,
    (_, name: string) => `\${${decodeURIComponent(name)}}`,
  );
