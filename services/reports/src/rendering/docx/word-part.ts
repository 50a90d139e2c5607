import type { Document, Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../ooxml/ooxml-package.ts';
import { addRelationship, emptyRelationships, readRelationships, relationshipsPartOf } from '../ooxml/relationships.ts';
import { parsePartInSlices, parseXmlInSlices } from '../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../ooxml/xml/write-xml-in-slices.ts';
import { NAMESPACES, rootOf } from '../ooxml/xml/xml.ts';
import { descendantsOf } from './word-xml.ts';

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
  /** Returns an id that no drawing of the part has. */
  nextDrawingId(): number;
  /** Writes the part and its relationships. */
  writeTo(parts: Map<string, Uint8Array>): Promise<void>;
}

/** Opens a part of a template; the package is not changed. */
export async function openWordPart(parts: OoxmlPackage, name: string): Promise<WordPart> {
  const document = await parsePartInSlices(parts, name);
  const bytes = parts.get(relationshipsPartOf(name));
  const relationships =
    bytes === undefined ? emptyRelationships() : await parseXmlInSlices(bytes, relationshipsPartOf(name));
  const known = new Map(readRelationships(relationships, name));
  const idsByAddress = new Map<string, string>();
  const idsByMedia = new Map<string, string>();
  let hasMore = false;
  let drawings: number | undefined;
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
    nextDrawingId() {
      drawings ??= highestDrawingId(document);
      drawings += 1;
      return drawings;
    },
    async writeTo(target) {
      target.set(name, await writeXmlInSlices(document));
      if (hasMore) target.set(relationshipsPartOf(name), await writeXmlInSlices(relationships));
    },
  };
}

const highestDrawingId = (document: Document): number =>
  descendantsOf(rootOf(document), 'drawing')
    .flatMap((drawing) => [...drawing.getElementsByTagName('wp:docPr')])
    .reduce((highest, element) => Math.max(highest, Number(element.getAttribute('id')) || 0), 0);
