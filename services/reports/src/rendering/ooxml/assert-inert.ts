import { setImmediate } from 'node:timers/promises';
import { CONTENT_TYPES_PART } from './content-types.ts';
import { OoxmlError, type OoxmlPackage } from './ooxml-package.ts';
import { assertPlainXml, childrenOf, parsePart, rootOf, writeXml } from './xml.ts';

/** Relationships that may lead outside: nobody follows them but the reader of the document. */
const FOLLOWED_BY_PEOPLE = /\/hyperlink$/;
/** After such a part other work goes on. */
const LARGE_PART_BYTES = 64 * 1024;
/** An address with nothing behind it, which no program fetches. */
const NOWHERE = 'about:blank';

/**
 * A template as far as it is harmless for whoever opens or converts what is made of it: no macros, no document
 * type declarations in any part, and nothing that is loaded from outside (linked pictures, attached templates,
 * data connections, which lead nowhere in the answer).
 *
 * @throws OoxmlError for macros and document type declarations
 */
export async function withoutOutside(parts: OoxmlPackage): Promise<OoxmlPackage> {
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
    if (FOLLOWED_BY_PEOPLE.test(relationship.getAttribute('Type') ?? '')) continue;
    relationship.setAttribute('Target', NOWHERE);
    isChanged = true;
  }
  if (isChanged) parts.set(name, writeXml(document));
}
