import { DOMParser, type Document, type Element, type Node, onErrorStopParsing, XMLSerializer } from '@xmldom/xmldom';
import { OoxmlError, type OoxmlPackage, partOf } from './ooxml-package.ts';

export const NAMESPACES = {
  relationships: 'http://schemas.openxmlformats.org/package/2006/relationships',
  contentTypes: 'http://schemas.openxmlformats.org/package/2006/content-types',
  officeRelationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
} as const;

const serializer = new XMLSerializer();
const encoder = new TextEncoder();

/**
 * A part as a document. Document type declarations are refused, so neither entities nor other files come in.
 *
 * @throws OoxmlError naming the part
 */
export function parseXml(bytes: Uint8Array, partName: string): Document {
  const text = assertPlainXml(bytes, partName);
  try {
    // Where a node stood is never asked for, and costs a third of the time.
    return new DOMParser({ onError: onErrorStopParsing, locator: false }).parseFromString(text, 'text/xml');
  } catch (cause) {
    throw new OoxmlError(`${partName} is not well-formed: ${(cause as Error).message}`, { cause });
  }
}

/**
 * The text of a part, which nothing can hide in that a parser would load or expand.
 *
 * @throws OoxmlError for a document type declaration
 */
export function assertPlainXml(bytes: Uint8Array, partName: string): string {
  const text = decode(bytes, partName);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new OoxmlError(`${partName}: document type declarations are not allowed`);
  return text;
}

/** @throws OoxmlError when the part is not there or is no XML */
export const parsePart = (parts: OoxmlPackage, name: string): Document => parseXml(partOf(parts, name), name);

/** The bytes of a part, in UTF-8 with the declaration that Office writes. */
export function writeXml(document: Document): Uint8Array {
  const body = serializer.serializeToString(rootOf(document));
  return encoder.encode(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`);
}

/** The element of a document that all others are in. */
export function rootOf(document: Document): Element {
  const root = document.documentElement;
  if (root === null) throw new OoxmlError('a part is an empty document');
  return root;
}

export const isElement = (node: Node | null): node is Element => node !== null && node.nodeType === node.ELEMENT_NODE;

/** Child elements in order; with a name, those of that local name. */
export function childrenOf(parent: Node, localName?: string): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node) && (localName === undefined || node.localName === localName)) found.push(node);
  return found;
}

/** The first child element of that local name. */
export function childOf(parent: Node, localName: string): Element | undefined {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node) && node.localName === localName) return node;
  return undefined;
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
