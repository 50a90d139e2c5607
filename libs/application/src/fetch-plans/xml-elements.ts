import { exceededXmlLimit, type XmlLimits } from '@lintel/contracts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** One element of an XML resource. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, CDATA included, without that of its children. */
  readonly text: string;
  /** Line of the start tag, from 1. */
  readonly line: number;
  /** The begin and end of the element in the text, as offsets. */
  readonly start: number;
  readonly end: number;
}

// Entities are not processed: definitions need none, and expanding them is how XML files attack their readers.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
  captureMetaData: true,
});

const METADATA = XMLParser.getMetaDataSymbol() as unknown as symbol;

/** Limits of one resource, some fifty times those of a large application. */
export const RESOURCE_LIMITS: XmlLimits = {
  characters: 4 * 1024 * 1024,
  elements: 50_000,
  depth: 100,
  attributes: 50,
  namespaces: 50,
  acceptsSections: true,
};

/**
 * The root element of an XML text.
 *
 * @throws SyntaxError if the text is beyond the limits; with line and column if it is not well formed
 */
export function parseXml(text: string): XmlElement {
  const exceeded = exceededXmlLimit(text, RESOURCE_LIMITS);
  if (exceeded !== undefined) throw new SyntaxError(`there is ${exceeded}`);
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new SyntaxError(`line ${valid.err.line}, column ${valid.err.col}: ${valid.err.msg}`);
  const lineAt = lineFinder(text);
  const roots = elementsOf(parser.parse(text), lineAt);
  const root = roots.find((element) => !element.name.startsWith('?'));
  if (root === undefined) throw new SyntaxError('there is no element');
  return root;
}

type XmlNode = Readonly<Record<string | symbol, unknown>>;

const namesOf = (node: XmlNode): readonly string[] => Object.keys(node).filter((key) => key !== ':@');

function elementsOf(nodes: unknown, lineAt: (offset: number) => number): readonly XmlElement[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: XmlNode) => {
    const [name] = namesOf(node);
    if (name === undefined || name.startsWith('#')) return [];
    const metadata = node[METADATA] as { readonly startIndex?: number; readonly endIndex?: number } | undefined;
    return [
      {
        name,
        attributes: (node[':@'] ?? {}) as Readonly<Record<string, string>>,
        children: elementsOf(node[name], lineAt),
        text: textOf(node[name]),
        line: lineAt(metadata?.startIndex ?? 0),
        start: metadata?.startIndex ?? 0,
        end: metadata?.endIndex ?? 0,
      },
    ];
  });
}

function textOf(nodes: unknown): string {
  if (!Array.isArray(nodes)) return '';
  return nodes.map((node: XmlNode) => ('#text' in node ? String(node['#text']) : '')).join('');
}

/** Returns the line of an offset; accepts offsets in any order. */
function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
