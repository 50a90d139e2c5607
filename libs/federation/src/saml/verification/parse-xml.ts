import { setImmediate } from 'node:timers/promises';
import { exceededXmlLimit, type XmlLimits } from '@lintel/contracts';
import { Semaphore } from '@lintel/timing';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { ProviderFailure } from '../../providers/provider-failure.ts';

export const NAMESPACES = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export type Namespace = keyof typeof NAMESPACES;

/** Maximum size of a message of a provider, after decoding. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
const MESSAGE_LIMITS: XmlLimits = {
  characters: MAX_MESSAGE_BYTES,
  // The signature of 1,000 elements is verified in up to 90 ms; each value of a claim is one.
  elements: 1_000,
  depth: 30,
  attributes: 50,
  namespaces: 50,
  // Comments could divide a name in two.
  acceptsSections: false,
};
/** Their signatures are verified for anybody, which canonicalizes each element. */
export const LOGOUT_LIMITS: XmlLimits = { ...MESSAGE_LIMITS, elements: 200 };
/** Metadata can have several providers. */
export const METADATA_LIMITS: XmlLimits = { ...MESSAGE_LIMITS, characters: 4 * 1024 * 1024, elements: 20_000 };

const DECLARATION = /^\uFEFF?\s*<\?xml\s[^?]*\?>/;

/**
 * The text of an encoded message of a provider.
 *
 * @throws ProviderFailure `xml` naming what a parser would take too long for, or does not accept
 */
export function messageOf(encoded: string, limits = MESSAGE_LIMITS): string {
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  const exceeded =
    bytes.length > MAX_MESSAGE_BYTES ? `more than ${MAX_MESSAGE_BYTES} bytes` : exceededXmlLimit(text, limits);
  if (exceeded !== undefined) throw new ProviderFailure('refused', `xml: ${exceeded}`);
  return text;
}

/** Messages of several clients are parsed in different iterations of the event loop. */
const parsing = new Semaphore(1);

/**
 * Decodes and parses a message of a provider.
 *
 * @throws ProviderFailure `xml`
 */
export const parseMessage = (encoded: string, limits = MESSAGE_LIMITS): Promise<Document> =>
  parsing.run(async () => {
    await setImmediate();
    return parseXml(messageOf(encoded, limits));
  });

/**
 * Parses a message of a provider, or its metadata. Comments, document types, CDATA sections and processing instructions
 * are refused, and texts beyond the limits, before they are parsed.
 *
 * @throws ProviderFailure `xml`
 */
export function parseXml(text: string, limits = MESSAGE_LIMITS): Document {
  const content = text.replace(DECLARATION, '');
  const exceeded = content.includes('<?') ? 'a processing instruction' : exceededXmlLimit(content, limits);
  if (exceeded !== undefined) throw new ProviderFailure('refused', `xml: ${exceeded}`);
  try {
    const document = new DOMParser({
      onError(_level, message) {
        throw new Error(message);
      },
    }).parseFromString(content, 'text/xml');
    if (document.documentElement === null) throw new Error('no element');
    return document;
  } catch (error) {
    throw new ProviderFailure('refused', 'xml', { cause: error });
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
