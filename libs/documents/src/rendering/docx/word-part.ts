import type { Document, Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../ooxml/ooxml-package.ts';
import { addRelationship, readRelationships, relationshipsIn, relationshipsPartOf } from '../ooxml/relationships.ts';
import { parsePartInSlices } from '../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../ooxml/xml/write-xml-in-slices.ts';
import { NAMESPACES } from '../ooxml/xml/xml.ts';

const HYPERLINK = `${NAMESPACES.officeRelationships}/hyperlink`;
const IMAGE = `${NAMESPACES.officeRelationships}/image`;

/** A part with text that a run fills: the body, a header, a footer, notes. */
export interface WordPart {
  readonly name: string;
  readonly document: Document;
  /** Returns the address of a hyperlink; undefined for one within the document. */
  addressOf(hyperlink: Element): string | undefined;
  /** Changes the address of one hyperlink; others with the same old address keep it. */
  setAddress(hyperlink: Element, address: string): void;
  /** Adds a relationship to a picture of the package and returns its id. */
  addPicture(mediaPart: string): string;
  /** Returns an id that no drawing or shape of the document has. */
  nextDrawingId(): number;
  /** Writes the part and its relationships. */
  writeTo(parts: Map<string, Uint8Array>): Promise<void>;
}

/** Opens a part of a template; the package is not changed. */
export async function openWordPart(
  parts: OoxmlPackage,
  name: string,
  nextDrawingId: WordPart['nextDrawingId'],
): Promise<WordPart> {
  const document = await parsePartInSlices(parts, name);
  const part = relationshipsPartOf(name);
  const relationships = parts.has(part) ? await parsePartInSlices(parts, part) : relationshipsIn(parts, name);
  const known = new Map(readRelationships(relationships, name));
  const idsByAddress = new Map<string, string>();
  const idsByMedia = new Map<string, string>();
  let hasMore = false;
  const add = (type: string, target: string, isExternal: boolean): string => {
    hasMore = true;
    const id = addRelationship(relationships, { type, target, isExternal });
    known.set(id, { id, type, target, isExternal });
    return id;
  };
  const idOf = (ids: Map<string, string>, target: string, type: string): string => {
    const id = ids.get(target) ?? add(type, target, type === HYPERLINK);
    ids.set(target, id);
    return id;
  };
  return {
    name,
    document,
    addressOf(hyperlink) {
      const relationship = known.get(hyperlink.getAttributeNS(NAMESPACES.officeRelationships, 'id') ?? '');
      return relationship?.isExternal === true ? relationship.target : undefined;
    },
    setAddress: (hyperlink, address) =>
      hyperlink.setAttributeNS(NAMESPACES.officeRelationships, 'r:id', idOf(idsByAddress, address, HYPERLINK)),
    addPicture: (mediaPart) => idOf(idsByMedia, mediaPart, IMAGE),
    nextDrawingId,
    async writeTo(target) {
      target.set(name, await writeXmlInSlices(document));
      if (hasMore) target.set(relationshipsPartOf(name), await writeXmlInSlices(relationships));
    },
  };
}

/** Returns a counter of ids that are greater than those of all drawings and shapes of the text parts. */
export function drawingIds(parts: OoxmlPackage): WordPart['nextDrawingId'] {
  let last: number | undefined;
  const highest = (): number => {
    let found = 0;
    for (const [name, bytes] of parts)
      if (/\.xml$/i.test(name))
        for (const [, drawing, shape] of new TextDecoder().decode(bytes).matchAll(IDS))
          found = Math.max(found, Number(drawing ?? shape));
    return found;
  };
  return () => {
    last = (last ?? highest()) + 1;
    return last;
  };
}

const IDS = /(?:docPr|cNvPr)\b[^>]*?\bid="(\d{1,9})"|\bid="_x0000_[si](\d{1,9})"/g;
