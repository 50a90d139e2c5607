import { nextIteration } from '@lintel/timing';
import type { Document, Element, Node } from '@xmldom/xmldom';
import { type OoxmlPackage, partOf } from '../ooxml-package.ts';
import { assertPlainXml, isElement, parseXmlText, rootOf } from './xml.ts';
import { type StartTag, slicesOf } from './xml-slices.ts';

/**
 * Parses a part, with the same result as `parseXml`; a large one in slices, between which the event loop continues.
 *
 * @throws OoxmlError as `parseXml`, and for tokens beyond the limits of a slice
 */
export async function parseXmlInSlices(bytes: Uint8Array, partName: string): Promise<Document> {
  const text = assertPlainXml(bytes, partName);
  let document: Document | undefined;
  let open: readonly StartTag[] = [];
  for (const slice of slicesOf(text, partName)) {
    const closed = slice.open.toReversed().map(({ name }) => `</${name}>`);
    const opened = open.map((tag) => tag.text);
    const parsed = parseXmlText([...opened, text.slice(slice.begin, slice.end), ...closed].join(''), partName);
    if (document === undefined) document = parsed;
    else append(document, parsed, open.length);
    open = slice.open;
    if (slice.end < text.length) await nextIteration();
  }
  return document ?? parseXmlText(text, partName);
}

/** @throws OoxmlError when the part is missing or is no XML */
export const parsePartInSlices = (parts: OoxmlPackage, name: string): Promise<Document> =>
  parseXmlInSlices(partOf(parts, name), name);

/**
 * Adds the content of a slice to the elements that were open at its begin. The slice repeats these elements around its
 * content: in the document they are the last ones of each level, in the slice the first ones.
 */
function append(document: Document, slice: Document, depth: number): void {
  const targets: Element[] = [];
  const sources: Element[] = [];
  for (let level = 0; level < depth; level += 1) {
    targets.push(elementOf(level === 0 ? document.documentElement : (targets[level - 1]?.lastChild ?? null)));
    sources.push(elementOf(level === 0 ? slice.documentElement : (sources[level - 1]?.firstChild ?? null)));
  }
  for (let level = depth - 1; level >= 0; level -= 1) {
    const isInnermost = level === depth - 1;
    move(isInnermost ? sources[level]?.firstChild : sources[level + 1]?.nextSibling, targets[level], document);
  }
  // Comments after the root element.
  move(rootOf(slice).nextSibling, document, document);
}

/** Moves a node and those after it. */
function move(first: Node | null | undefined, target: Node | undefined, document: Document): void {
  for (let node = first ?? null; node !== null; ) {
    const next: Node | null = node.nextSibling;
    adopt(node, document);
    target?.appendChild(node);
    node = next;
  }
}

/** Does the same as `Document.adoptNode`, which xmldom lacks; `importNode` takes as long as parsing. */
function adopt(node: Node, document: Document): void {
  Object.assign(node, { ownerDocument: document });
  if (isElement(node)) for (const attribute of node.attributes) Object.assign(attribute, { ownerDocument: document });
  for (let child = node.firstChild; child !== null; child = child.nextSibling) adopt(child, document);
}

function elementOf(node: Node | null): Element {
  if (!isElement(node)) throw new Error('An element that was open at the begin of a slice is not in its document');
  return node;
}
