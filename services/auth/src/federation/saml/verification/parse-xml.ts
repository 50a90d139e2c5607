import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { ProviderFailure } from '../../providers/provider-failure.ts';

export const NAMESPACES = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export type Namespace = keyof typeof NAMESPACES;

const MAX_DEPTH = 40;
const MAX_ELEMENTS = 20_000;
const DECLARATION = /^\uFEFF?\s*<\?xml\s[^?]*\?>/;

/**
 * Parses a message of a provider. Comments, which could divide a name in two, document types, CDATA and processing
 * instructions are refused, and messages that are nested too deeply.
 *
 * @throws ProviderFailure `xml`
 */
export function parseXml(text: string): Document {
  const content = text.replace(DECLARATION, '');
  if (/<[!?]/.test(content)) throw new ProviderFailure('refused', 'xml');
  try {
    const document = new DOMParser({
      onError(_level, message) {
        throw new Error(message);
      },
    }).parseFromString(content, 'text/xml');
    if (document.documentElement === null) throw new Error('no element');
    assertShallow(document.documentElement);
    return document;
  } catch (error) {
    throw new ProviderFailure('refused', 'xml', { cause: error });
  }
}

/** Later steps are recursive. */
function assertShallow(root: Element): void {
  let level: readonly Element[] = [root];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > MAX_DEPTH || count > MAX_ELEMENTS) throw new Error('too many elements');
    level = level.flatMap((element) => elementsIn(element));
  }
}

const elementsIn = (element: Element): readonly Element[] => {
  const found: Element[] = [];
  for (let child = element.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeType === 1) found.push(child as Element);
  return found;
};

/** The root, if it has this name. */
export function rootOf(document: Document, namespace: Namespace, name: string): Element | undefined {
  const { documentElement: root } = document;
  return root?.namespaceURI === NAMESPACES[namespace] && root.localName === name ? root : undefined;
}

/** Children of an element with a name, in their order. */
export const childrenOf = (element: Element, namespace: Namespace, name: string): readonly Element[] =>
  elementsIn(element).filter((child) => child.namespaceURI === NAMESPACES[namespace] && child.localName === name);

/** All elements with a name, at any depth. */
export const allOf = (document: Document, namespace: Namespace, name: string): readonly Element[] => [
  ...document.getElementsByTagNameNS(NAMESPACES[namespace], name),
];

const WHITE_SPACE = ' \t\r\n';

/** The text without the white space of XML around it, which formatting adds; other spaces belong to the text. */
export function textOf(element: Element): string {
  const text = element.textContent ?? '';
  let [start, end] = [0, text.length];
  while (start < end && WHITE_SPACE.includes(text.charAt(start))) start += 1;
  while (start < end && WHITE_SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether an element has nothing but a text: an element inside would divide it, and the parts would be read as one. */
export const isText = (element: Element): boolean => elementsIn(element).length === 0;

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.getAttribute(name) ?? undefined;
