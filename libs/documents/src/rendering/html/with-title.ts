import { escapeXml } from '../xlsx/cells/cell-text-form.ts';

/** What a title must come after: the document type, comments, and the beginning of the head. */
const BEFORE = /^(?:\s*(?:<!--[\s\S]*?-->|<!doctype[^>]*>|<html[^>]*>|<head(?:\s[^>]*)?>))*/i;
const END_OF_HEAD = /<\/head>|<body|<svg/i;

/** Adds the name of the document, without its extension, as the title of a page that has none. */
export function withTitle(html: string, fileName: string): string {
  const end = html.search(END_OF_HEAD);
  if (/<title[^>]*>\s*[^<\s]/i.test(end < 0 ? html : html.slice(0, end))) return html;
  const before = BEFORE.exec(html)?.[0] ?? '';
  return `${before}<title>${escapeXml(fileName.replace(/\.[^.]*$/, ''))}</title>${html.slice(before.length)}`;
}
