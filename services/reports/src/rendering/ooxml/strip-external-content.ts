import { setImmediate } from 'node:timers/promises';
import { CONTENT_TYPES_PART } from './content-types.ts';
import { OoxmlError, type OoxmlPackage } from './ooxml-package.ts';
import { assertPlainXml, childrenOf, parsePart, rootOf, writeXml } from './xml.ts';

/** Relationships that may be external: only the reader of the document opens them. */
const HYPERLINK = /\/hyperlink$/;
/** After a part of this size the event loop continues. */
const LARGE_PART_BYTES = 64 * 1024;
/** An address without content, which no program fetches. */
const BLANK_ADDRESS = 'about:blank';

/**
 * Makes a template safe for programs that open or convert its documents: refuses macros and document type declarations,
 * and replaces the targets of external content (linked pictures, attached templates, data connections) by a blank
 * address.
 *
 * @throws OoxmlError for macros and document type declarations
 */
export async function stripExternalContent(parts: OoxmlPackage): Promise<OoxmlPackage> {
  const harmless = new Map(parts);
  for (const [name, bytes] of parts) {
    if (/(?:^|\/)vbaProject\.bin$|\.vbs$|(?:^|\/)activeX\//i.test(name))
      throw new OoxmlError(`macros and controls are not allowed: ${name}`);
    if (/\.(?:xml|rels|vml)$/i.test(name)) assertPlainXml(bytes, name);
    if (/\.rels$/i.test(name)) retarget(harmless, name);
    if (bytes.length > LARGE_PART_BYTES) await setImmediate();
  }
  const types = new TextDecoder().decode(parts.get(CONTENT_TYPES_PART));
  if (/macroEnabled/i.test(types)) throw new OoxmlError('macros are not allowed');
  return harmless;
}

function retarget(parts: Map<string, Uint8Array>, name: string): void {
  const document = parsePart(parts, name);
  let isChanged = false;
  for (const relationship of childrenOf(rootOf(document), 'Relationship')) {
    if (relationship.getAttribute('TargetMode') !== 'External') continue;
    if (HYPERLINK.test(relationship.getAttribute('Type') ?? '')) continue;
    relationship.setAttribute('Target', BLANK_ADDRESS);
    isChanged = true;
  }
  if (isChanged) parts.set(name, writeXml(document));
}
