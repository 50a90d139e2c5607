import { nextIteration } from '@lintel/timing';
import type { Attr, Document, Element, Node } from '@xmldom/xmldom';
import { isElement, rootOf, XML_DECLARATION } from './xml.ts';

/** Characters that are written before the event loop continues: some milliseconds. */
const PIECE = 64 * 1024;
const XML_NAMESPACES = new Set(['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/']);

/** Writes a part, with the same bytes as `writeXml`, in slices between which the event loop continues. */
export async function writeXmlInSlices(document: Document): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let text = XML_DECLARATION;
  for (const token of tokensOf(rootOf(document))) {
    text += token;
    if (text.length < PIECE) continue;
    pieces.push(encoder.encode(text));
    text = '';
    await nextIteration();
  }
  pieces.push(encoder.encode(text));
  return Buffer.concat(pieces);
}

/** Namespaces that are declared at a node, the innermost last. */
type Scope = readonly Declaration[];
interface Declaration {
  readonly prefix: string;
  readonly namespace: string;
}
interface OpenElement {
  readonly element: Element;
  readonly tag: string;
  readonly scope: Scope;
}

/** Yields tags and texts in their order. */
function* tokensOf(root: Element): Generator<string> {
  const open: OpenElement[] = [];
  let node: Node = root;
  let scope: Scope = [];
  for (;;) {
    if (isElement(node)) {
      const start = startOf(node, scope);
      if (node.firstChild !== null) {
        yield `${start.text}>`;
        open.push({ element: node, tag: start.tag, scope });
        scope = start.scope;
        node = node.firstChild;
        continue;
      }
      yield `${start.text}/>`;
    } else yield leafText(node);
    while (node.nextSibling === null || open.length === 0) {
      const ended = open.pop();
      if (ended === undefined) return;
      yield `</${ended.tag}>`;
      node = ended.element;
      scope = ended.scope;
    }
    node = node.nextSibling;
  }
}

/** Writes a start tag without its end; declares namespaces of element and attributes that are not in scope. */
function startOf(
  element: Element,
  parentScope: Scope,
): { readonly text: string; readonly tag: string; readonly scope: Scope } {
  const attributes = [...element.attributes];
  let scope = withDeclarations(attributes, parentScope);
  const tag = tagOf(element, attributes, parentScope);
  let text = `<${tag}`;
  const declare = ({ prefix, namespaceURI }: Attr | Element): void => {
    const declaration = { prefix: prefix ?? '', namespace: namespaceURI ?? '' };
    if (!isMissing(declaration, scope)) return;
    text += attributeText(declaration.prefix === '' ? 'xmlns' : `xmlns:${declaration.prefix}`, declaration.namespace);
    scope = [...scope, declaration];
  };
  for (const attribute of attributes) {
    declare(attribute);
    text += attributeText(attribute.name, attribute.value);
  }
  if (tag === element.tagName) declare(element);
  return { text, tag, scope };
}

function withDeclarations(attributes: readonly Attr[], parentScope: Scope): Scope {
  let scope = parentScope;
  for (const { prefix, localName, nodeName, value } of attributes)
    if (prefix === 'xmlns') scope = [...scope, { prefix: localName ?? '', namespace: value }];
    else if (nodeName === 'xmlns') scope = [...scope, { prefix: '', namespace: value }];
  return scope;
}

/**
 * Returns the tag name; an element without a prefix that is not in the default namespace gets the prefix of its
 * namespace.
 */
function tagOf(element: Element, attributes: readonly Attr[], parentScope: Scope): string {
  const { tagName, prefix, namespaceURI } = element;
  if (prefix || !namespaceURI) return tagName;
  const isDefault =
    (attributes.find(({ name }) => name === 'xmlns')?.value ||
      parentScope.findLast((one) => one.prefix === '' && one.namespace === namespaceURI)?.namespace) === namespaceURI;
  const known = isDefault ? undefined : parentScope.findLast(({ namespace }) => namespace === namespaceURI);
  return known === undefined || known.prefix === '' ? tagName : `${known.prefix}:${tagName}`;
}

function isMissing({ prefix, namespace }: Declaration, scope: Scope): boolean {
  if (namespace === '' || XML_NAMESPACES.has(namespace)) return false;
  return scope.findLast((one) => one.prefix === prefix)?.namespace !== namespace;
}

const attributeText = (name: string, value: string): string =>
  ` ${name}="${value.replace(/[<>&"\t\n\r]/g, characterReference)}"`;

const REFERENCES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const characterReference = (character: string): string => REFERENCES[character] ?? `&#${character.charCodeAt(0)};`;

function leafText(node: Node): string {
  const data = node.nodeValue ?? '';
  switch (node.nodeType) {
    case node.TEXT_NODE:
      return data.replace(/[<&>]/g, characterReference);
    case node.CDATA_SECTION_NODE:
      return `<![CDATA[${data.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
    case node.COMMENT_NODE:
      return `<!--${data}-->`;
    case node.PROCESSING_INSTRUCTION_NODE:
      return `<?${node.nodeName} ${data}?>`;
    default:
      throw new Error(`A part has a node of type ${node.nodeType}`);
  }
}
