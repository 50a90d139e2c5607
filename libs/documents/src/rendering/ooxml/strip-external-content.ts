import { nextIteration } from '@lintel/timing';
import type { Element } from '@xmldom/xmldom';
import { CONTENT_TYPES_PART } from './content-types.ts';
import { linkedIds } from './linked-ids.ts';
import { OoxmlError, type OoxmlPackage } from './ooxml-package.ts';
import { assertPlainXml, childrenOf, parsePart, rootOf, writeXml } from './xml/xml.ts';

/** Relationships that may be external: only the reader of the document opens them. */
const HYPERLINK = /\/hyperlink$/;
/** After a part of this size the event loop continues. */
const LARGE_PART_BYTES = 64 * 1024;
/** An address without content, which no program fetches. */
export const BLANK_ADDRESS = 'about:blank';

/**
 * Makes a template safe for programs that open or convert its documents: refuses macros and document type declarations,
 * and replaces the targets of external content (linked pictures, attached templates, data connections) by a blank
 * address. The target of a hyperlink stays if nothing but links refers to it.
 *
 * @throws OoxmlError for macros and document type declarations
 */
export async function stripExternalContent(parts: OoxmlPackage): Promise<OoxmlPackage> {
  const harmless = new Map(parts);
  for (const [name, bytes] of parts) {
    if (/(?:^|\/)vbaProject\.bin$|\.vbs$|(?:^|\/)activeX\//i.test(name))
      throw new OoxmlError(`macros and controls are not allowed: ${name}`);
    if (/\.(?:xml|rels|vml)$/i.test(name)) assertPlainXml(bytes, name);
    if (/\.rels$/i.test(name)) await retarget(harmless, name);
    if (bytes.length > LARGE_PART_BYTES) await nextIteration();
  }
  const types = new TextDecoder().decode(parts.get(CONTENT_TYPES_PART));
  if (/macroEnabled/i.test(types)) throw new OoxmlError('macros are not allowed');
  return harmless;
}

async function retarget(parts: Map<string, Uint8Array>, name: string): Promise<void> {
  const document = parsePart(parts, name);
  const external = childrenOf(rootOf(document), 'Relationship').filter(
    (relationship) => relationship.getAttribute('TargetMode') === 'External',
  );
  const hyperlinks = external.filter(isHyperlink);
  const ids = new Set(hyperlinks.map(idOf));
  const owner = parts.get(name.replace(/_rels\/([^/]*)\.rels$/i, '$1'));
  const linked = owner === undefined || ids.size === 0 ? ids : await linkedIds(assertPlainXml(owner, name), ids);
  let isChanged = false;
  for (const relationship of external) {
    if (isHyperlink(relationship) && linked.has(idOf(relationship))) continue;
    relationship.setAttribute('Target', BLANK_ADDRESS);
    isChanged = true;
  }
  if (isChanged) parts.set(name, writeXml(document));
}

const idOf = (relationship: Element): string => relationship.getAttribute('Id') ?? '';
const isHyperlink = (relationship: Element): boolean => HYPERLINK.test(relationship.getAttribute('Type') ?? '');
