import type { Element } from '@xmldom/xmldom';
import { childrenOf } from './xml/xml.ts';

/**
 * Gives the shapes of a copy new ids, with the connectors between them. Ids by which programs recognize a shape that
 * was edited elsewhere are removed.
 */
export function renumberShapes(copy: Element, nextId: () => number): void {
  const renamed = new Map<string, string>();
  for (const element of elementsBelow(copy)) {
    if (element.localName === 'creationId') element.parentNode?.parentNode?.removeChild(element.parentNode);
    if (element.localName !== 'cNvPr' && element.localName !== 'docPr') continue;
    const id = String(nextId());
    if (element.localName === 'cNvPr') renamed.set(element.getAttribute('id') ?? '', id);
    element.setAttribute('id', id);
  }
  for (const element of elementsBelow(copy)) {
    const id = /^(?:st|end)Cxn$/.test(element.localName ?? '')
      ? renamed.get(element.getAttribute('id') ?? '')
      : undefined;
    if (id !== undefined) element.setAttribute('id', id);
  }
}

/** An element and all elements in it. */
export const elementsBelow = (element: Element): readonly Element[] => [
  element,
  ...childrenOf(element).flatMap(elementsBelow),
];
