import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** One element of an XML resource. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
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
});

/**
 * The root element of an XML text.
 *
 * @throws SyntaxError with line and column where the text is not well formed
 */
export function parseXml(text: string): XmlElement {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new SyntaxError(`line ${valid.err.line}, column ${valid.err.col}: ${valid.err.msg}`);
  const roots = elementsOf(parser.parse(text));
  const root = roots.find((element) => !element.name.startsWith('?'));
  if (root === undefined) throw new SyntaxError('there is no element');
  return root;
}

function elementsOf(nodes: unknown): readonly XmlElement[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: Record<string, unknown>) => {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === undefined || name.startsWith('#')) return [];
    return [
      { name, attributes: (node[':@'] ?? {}) as Readonly<Record<string, string>>, children: elementsOf(node[name]) },
    ];
  });
}
