import { parseXml, type XmlElement } from '../fetch-plans/xml-elements.ts';
import { type FilePosition, positionAt, textOf } from '../fetch-plans/xml-text.ts';
import { DEPRECATION_ATTRIBUTES, readDeprecation } from '../read-deprecation.ts';
import { type QueryDefinition, QueryDefinitionError } from './query-definition.ts';

/** A resource file with predefined queries. */
export interface QuerySource {
  /** Resource name, for error texts. */
  readonly name: string;
  readonly text: string;
}

/** A definition with its position in the source. */
export interface LocatedQuery {
  readonly definition: QueryDefinition;
  /** `queries.xml, query x of sales_Order`. */
  readonly where: string;
  /** `in queries.xml, line 7`; distinguishes two definitions of one query. */
  readonly definedAt: string;
  /** Maps a position in the text to the position in the file. */
  readonly positionOf: (line: number, column: number) => FilePosition;
}

const ATTRIBUTES = [
  ...['name', 'entity', 'fetchPlan', 'view', 'cacheable', 'limit', 'offset', 'anonymousAllowed'],
  ...DEPRECATION_ATTRIBUTES,
];

/**
 * Reads predefined queries from an XML resource (contract/queries.md#definitions).
 *
 * @throws QueryDefinitionError with file, line and column for malformed XML, unknown elements and attributes,
 *   and missing or unreadable ones
 */
export function parseQueries({ name, text }: QuerySource): readonly LocatedQuery[] {
  const fail = (problem: string, element: XmlElement | undefined, query?: string): QueryDefinitionError => {
    const { line, column } = positionAt(text, element?.start ?? 0);
    return new QueryDefinitionError(
      `${name}, line ${line}, column ${column}${query === undefined ? '' : `, query ${query}`}`,
      problem,
    );
  };
  const root = rootOf({ name, text });
  if (root.name !== 'queries') throw fail(`the root element is <${root.name}>, expected <queries>`, root);
  return root.children.map((element): LocatedQuery => {
    if (element.name !== 'query') throw fail(`<${element.name}> is not known here, expected <query>`, element);
    const { attributes } = element;
    const refuse = (problem: string, at: XmlElement = element): QueryDefinitionError =>
      fail(problem, at, attributes['name']);
    const unknown = Object.keys(attributes).find((attribute) => !ATTRIBUTES.includes(attribute));
    if (unknown !== undefined)
      throw refuse(`the attribute "${unknown}" is not known, expected ${ATTRIBUTES.join(', ')}`);
    const queryName = required(attributes, 'name', refuse);
    const entity = required(attributes, 'entity', refuse);
    const jpql = onlyChild(element, 'jpql', refuse);
    if (jpql === undefined) throw refuse('expected the element <jpql> with the text of the query');
    if (jpql.children.length > 0) throw refuse('<jpql> holds text alone', jpql);
    const content = textOf(text, jpql);
    if (content.text.trim() === '') throw refuse('<jpql> is empty', jpql);
    const fetchPlan = attributes['fetchPlan'] ?? attributes['view'];
    const deprecated = readDeprecation(attributes, (problem) => {
      throw refuse(problem);
    });
    const definition: QueryDefinition = {
      name: queryName,
      entity,
      text: content.text,
      parameters: parametersOf(onlyChild(element, 'params', refuse), refuse),
      ...(fetchPlan === undefined ? {} : { fetchPlan }),
      ...flag(attributes, 'cacheable', refuse),
      ...flag(attributes, 'anonymousAllowed', refuse),
      ...count(attributes, 'limit', refuse),
      ...count(attributes, 'offset', refuse),
      ...(deprecated === undefined ? {} : { deprecated }),
    };
    return {
      definition,
      where: `${name}, query ${queryName} of ${entity}`,
      definedAt: `in ${name}, line ${positionAt(text, element.start).line}`,
      positionOf: content.positionOf,
    };
  });
}

type Refuse = (problem: string, at?: XmlElement) => QueryDefinitionError;
type Attributes = XmlElement['attributes'];

function rootOf({ name, text }: QuerySource): XmlElement {
  try {
    return parseXml(text);
  } catch (cause) {
    throw new QueryDefinitionError(name, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function required(attributes: Attributes, name: string, refuse: Refuse): string {
  const value = attributes[name]?.trim();
  if (value === undefined || value === '') throw refuse(`expected the attribute "${name}"`);
  return value;
}

const CHILDREN = ['jpql', 'params'];

function onlyChild(element: XmlElement, name: string, refuse: Refuse): XmlElement | undefined {
  const unknown = element.children.find((child) => !CHILDREN.includes(child.name));
  if (unknown !== undefined) throw refuse(`<${unknown.name}> is not known here, expected <jpql> or <params>`, unknown);
  const found = element.children.filter((child) => child.name === name);
  if (found.length > 1) throw refuse(`there are two elements <${name}>`, found[1]);
  return found[0];
}

function parametersOf(params: XmlElement | undefined, refuse: Refuse): Readonly<Record<string, string>> {
  const types = new Map<string, string>();
  for (const child of params?.children ?? []) {
    if (child.name !== 'param') throw refuse(`<${child.name}> is not known here, expected <param>`, child);
    const refuseHere: Refuse = (problem) => refuse(problem, child);
    const name = required(child.attributes, 'name', refuseHere);
    if (types.has(name)) throw refuse(`there are two parameters of the name ${name}`, child);
    types.set(name, required(child.attributes, 'type', refuseHere));
  }
  return Object.fromEntries(types);
}

function flag<N extends string>(attributes: Attributes, name: N, refuse: Refuse): { readonly [K in N]?: boolean } {
  const text = attributes[name]?.trim().toLowerCase();
  if (text === undefined) return {};
  if (text !== 'true' && text !== 'false') throw refuse(`expected true or false for "${name}", found "${text}"`);
  return { [name]: text === 'true' } as { readonly [K in N]?: boolean };
}

function count<N extends string>(attributes: Attributes, name: N, refuse: Refuse): { readonly [K in N]?: number } {
  const text = attributes[name]?.trim();
  if (text === undefined) return {};
  if (!/^\d{1,15}$/.test(text)) throw refuse(`expected a number that is not negative for "${name}", found "${text}"`);
  return { [name]: Number(text) } as { readonly [K in N]?: number };
}
