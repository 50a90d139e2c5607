import { xmlTokensOf } from './xml-tokens.ts';

/** Maxima of an XML text from outside. */
export interface XmlLimits {
  readonly characters: number;
  readonly elements: number;
  /** Elements in each other. */
  readonly depth: number;
  /** Attributes of one tag: parsers compare each with each. */
  readonly attributes: number;
  /** Declarations of namespaces of the elements that are open at a time: parsers copy them for each element. */
  readonly namespaces: number;
  /** Characters of one text, comment or tag. */
  readonly tokenCharacters?: number;
  /** Whether comments and CDATA sections may divide texts. */
  readonly acceptsSections: boolean;
}

const DECLARATION = /\sxmlns[:\s=]/g;

/**
 * Counts an XML text before it is parsed, in one linear pass that creates no nodes.
 *
 * @returns what exceeds the limits (`more than 2000 elements`), or is never accepted: document type declarations
 */
export function exceededXmlLimit(text: string, limits: XmlLimits): string | undefined {
  if (text.length > limits.characters) return `more than ${limits.characters} characters`;
  // Everywhere: what is a comment for one parser can be a declaration for another one.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'a document type declaration';
  const namespaces: number[] = [];
  let elements = 0;
  for (const { kind, begin, end, attributes } of xmlTokensOf(text)) {
    if (end - begin > (limits.tokenCharacters ?? limits.characters))
      return `a text or tag of more than ${limits.tokenCharacters} characters`;
    if (kind === 'declaration') return 'a declaration';
    if ((kind === 'comment' || kind === 'cdata') && !limits.acceptsSections) return 'a comment or CDATA section';
    if (kind === 'end') namespaces.pop();
    if (kind !== 'start' && kind !== 'empty') continue;
    elements += 1;
    if (elements > limits.elements) return `more than ${limits.elements} elements`;
    if (attributes > limits.attributes) return `a tag of more than ${limits.attributes} attributes`;
    const declared =
      attributes === 0 ? 0 : [...text.slice(begin, end).matchAll(DECLARATION)].length + (namespaces.at(-1) ?? 0);
    if (declared > limits.namespaces) return `more than ${limits.namespaces} namespaces`;
    if (kind === 'start') namespaces.push(Math.max(declared, namespaces.at(-1) ?? 0));
    if (namespaces.length > limits.depth) return `more than ${limits.depth} elements in each other`;
  }
  return undefined;
}
