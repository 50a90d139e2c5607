import type { Element } from '@xmldom/xmldom';
import { isElement } from './xml/xml.ts';

/**
 * Gives the shapes among the elements of a copy new ids, with the connectors between them. Ids by which programs
 * recognize a shape that was edited elsewhere are removed.
 */
export function renumberShapes(copy: readonly Element[], nextId: () => number): void {
  const renamed = new Map<string, string>();
  for (const element of copy) {
    if (element.localName === 'creationId') element.parentNode?.parentNode?.removeChild(element.parentNode);
    if (element.localName !== 'cNvPr' && element.localName !== 'docPr') continue;
    const id = String(nextId());
    if (element.localName === 'cNvPr') renamed.set(element.getAttribute('id') ?? '', id);
    element.setAttribute('id', id);
  }
  for (const element of copy) {
    const id = /^(?:st|end)Cxn$/.test(element.localName ?? '')
      ? renamed.get(element.getAttribute('id') ?? '')
      : undefined;
    if (id !== undefined) element.setAttribute('id', id);
  }
}

/** An element and all elements in it. */
export function elementsBelow(element: Element, found: Element[] = []): readonly Element[] {
  found.push(element);
  for (let node = element.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node)) elementsBelow(node, found);
  return found;
}
