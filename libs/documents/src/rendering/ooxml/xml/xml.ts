import { exceededXmlLimit, type XmlLimits } from '@lintel/contracts';
import { DOMParser, type Document, type Element, type Node, onErrorStopParsing, XMLSerializer } from '@xmldom/xmldom';
import { OoxmlError, type OoxmlPackage, partOf } from '../ooxml-package.ts';

export const NAMESPACES = {
  relationships: 'http://schemas.openxmlformats.org/package/2006/relationships',
  contentTypes: 'http://schemas.openxmlformats.org/package/2006/content-types',
  officeRelationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
} as const;

/** Maximum size of a part that is parsed. */
export const MAX_XML_BYTES = 16 * 1024 * 1024;
/** Limits of parts that are parsed in slices. */
export const PART_LIMITS = {
  characters: MAX_XML_BYTES,
  // Some three hundred pages: each element takes about a kilobyte and ten microseconds.
  elements: 100_000,
  // Every slice repeats the open elements.
  depth: 500,
  // Word declares some 35 namespaces.
  attributes: 256,
  namespaces: 256,
  // They are never split. A cell of Excel has up to 32,767 characters.
  tokenCharacters: 1024 * 1024,
  acceptsSections: true,
} as const satisfies XmlLimits;
/** Limits of parts that are parsed in one step: relationships, content types, workbooks, drawings, styles. */
const SMALL_LIMITS: XmlLimits = { ...PART_LIMITS, characters: 2 * 1024 * 1024, elements: 20_000 };

const serializer = new XMLSerializer();
const encoder = new TextEncoder();

/**
 * Parses a small part; texts and sheets are parsed by `parseXmlInSlices`. Document type declarations are refused, so
 * neither entities nor other files are loaded.
 *
 * @throws OoxmlError naming the part, also where it is too large
 */
export const parseXml = (bytes: Uint8Array, partName: string): Document =>
  parseXmlText(assertSmall(bytes, partName), partName);

/**
 * Returns the text of a small part, as `assertPlainXml` does.
 *
 * @throws OoxmlError naming the part, also where it is too large
 */
export const assertSmall = (bytes: Uint8Array, partName: string): string =>
  assertPlainXml(bytes, partName, SMALL_LIMITS);

/** @throws OoxmlError where the text is not well-formed */
export function parseXmlText(text: string, partName: string): Document {
  try {
    // The locations of nodes are not used and would cost a third of the time.
    return new DOMParser({ onError: onErrorStopParsing, locator: false }).parseFromString(text, 'text/xml');
  } catch (cause) {
    throw new OoxmlError(`${partName} is not well-formed: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Returns the text of a part, without anything that a parser would load or expand, or that takes it too long.
 *
 * @throws OoxmlError for a document type declaration, and for more than `MAX_XML_BYTES` or the limits
 */
export function assertPlainXml(bytes: Uint8Array, partName: string, limits: XmlLimits = PART_LIMITS): string {
  if (bytes.length > MAX_XML_BYTES) throw new OoxmlError(`${partName} has more than ${MAX_XML_BYTES} bytes`);
  const text = decode(bytes, partName);
  const exceeded = exceededXmlLimit(text, limits);
  if (exceeded !== undefined) throw new OoxmlError(`${partName} has ${exceeded}`);
  return text;
}

/** @throws OoxmlError when the part is missing or is no XML */
export const parsePart = (parts: OoxmlPackage, name: string): Document => parseXml(partOf(parts, name), name);

/** The same declaration as Office writes. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Writes a small part, in UTF-8; others are written by `writeXmlInSlices`. */
export const writeXml = (document: Document): Uint8Array =>
  encoder.encode(`${XML_DECLARATION}${serializer.serializeToString(rootOf(document))}`);

/** The root element of a document. */
export function rootOf(document: Document): Element {
  const root = document.documentElement;
  if (root === null) throw new OoxmlError('a part is an empty document');
  return root;
}

export const isElement = (node: Node | null): node is Element => node !== null && node.nodeType === node.ELEMENT_NODE;

/** Child elements in their order; with a name, only those with this local name. */
export function childrenOf(parent: Node, localName?: string): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node) && (localName === undefined || node.localName === localName)) found.push(node);
  return found;
}

/** The first child element with the local name. */
export function childOf(parent: Node, localName: string): Element | undefined {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node) && node.localName === localName) return node;
  return undefined;
}

/**
 * Replaces all children in one step. Otherwise xmldom renumbers the list of children for each one that is not the last.
 */
export function setChildren(parent: Node, children: readonly Node[]): void {
  for (let child = parent.firstChild; child !== null; ) {
    const next: Node | null = child.nextSibling;
    Object.assign(child, { parentNode: null, previousSibling: null, nextSibling: null });
    child = next;
  }
  Object.assign(parent, { firstChild: null, lastChild: null });
  Object.assign(parent.childNodes, { length: 0 });
  for (const child of children) parent.appendChild(child);
}

/** The number of elements in a node, including itself. */
export function elementsIn(node: Node): number {
  let elements = isElement(node) ? 1 : 0;
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (isElement(child)) elements += elementsIn(child);
  return elements;
}

/** Office writes UTF-8; UTF-16 is the other encoding that a part may have (ECMA-376-2, 6.3.2). */
function decode(bytes: Uint8Array, partName: string): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new OoxmlError(`${partName} is not valid ${encoding.toUpperCase()}`, { cause });
  }
}
