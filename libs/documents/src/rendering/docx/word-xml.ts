import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom';
import { isElement } from '../ooxml/xml/xml.ts';
import { toXmlText } from '../ooxml/xml/xml-text.ts';

/** WordprocessingML, transitional. */
export const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Whether a node is an element of WordprocessingML with that local name. */
export const isWord = (node: Node | null, name: string): node is Element =>
  isElement(node) && node.localName === name && node.namespaceURI === WORD;

/** The same for a node that is known to be an element. */
export const isWordName = (element: Element, ...names: readonly string[]): boolean =>
  element.namespaceURI === WORD && element.localName !== null && names.includes(element.localName);

/**
 * Elements with that local name below a node, in the order of the document.
 *
 * @param isEntered elements for which it is false are skipped, with their descendants
 */
export function descendantsOf(
  node: Node,
  name: string,
  isEntered: (element: Element) => boolean = () => true,
): Element[] {
  const found: Element[] = [];
  const visit = (parent: Node): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (!isElement(child) || !isEntered(child)) continue;
      if (isWord(child, name)) found.push(child);
      visit(child);
    }
  };
  visit(node);
  return found;
}

/** The nearest ancestor of a node with the local name; undefined where there is none. */
export function ancestorOf(node: Node, name: string): Element | undefined {
  for (let above = node.parentNode; above !== null; above = above.parentNode) if (isWord(above, name)) return above;
  return undefined;
}

/** Creates an element `w:name`; its attributes are of WordprocessingML as well. */
export function wordElement(
  document: Document,
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly Node[] = [],
): Element {
  const element = document.createElementNS(WORD, `w:${name}`);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttributeNS(WORD, `w:${attribute}`, value);
  for (const child of children) element.appendChild(child);
  return element;
}

export const wordAttribute = (element: Element | undefined, name: string): string | undefined =>
  element?.getAttributeNS(WORD, name) ?? undefined;

/** Sets the text of a `w:t`; white space at its ends is preserved. */
export function setText(element: Element, text: string): void {
  while (element.firstChild !== null) element.removeChild(element.firstChild);
  element.appendChild((element.ownerDocument as Document).createTextNode(text));
  if (text !== text.trim()) element.setAttribute('xml:space', 'preserve');
}

/** Converts a text to the content of a run, with elements for line breaks and tabs. */
export function textNodes(document: Document, text: string): readonly Element[] {
  const parts = toXmlText(text).split(/(\r\n|\n|\r|\t)/);
  return parts.flatMap((part, index) => {
    if (index % 2 === 1) return [wordElement(document, part === '\t' ? 'tab' : 'br')];
    if (part === '') return [];
    const element = wordElement(document, 't');
    setText(element, part);
    return [element];
  });
}

/** Parses XML that this program has written, as an element of a document. */
export function elementOf(document: Document, xml: string): Element {
  const parsed = new DOMParser({ locator: false }).parseFromString(xml, 'text/xml').documentElement;
  if (parsed === null) throw new Error('A piece of XML has no element');
  return document.importNode(parsed, true);
}

/** The last element of a cell must be a paragraph; Office refuses the file otherwise. */
export function endWithParagraph(container: Node): void {
  if (!isWord(container, 'tc')) return;
  let last = container.lastChild;
  while (last !== null && !isElement(last)) last = last.previousSibling;
  if (!isWord(last, 'p')) container.appendChild(wordElement(container.ownerDocument as Document, 'p'));
}
