import type { OoxmlPackage } from '../../src/rendering/ooxml/ooxml-package.ts';
import { readPackage } from '../../src/rendering/ooxml/read-package.ts';
import { childOf, childrenOf, parsePart, rootOf } from '../../src/rendering/ooxml/xml/xml.ts';
import { columnNumber } from '../../src/rendering/xlsx/cells/area.ts';

type Element = ReturnType<typeof rootOf>;

/** Returns what a document lacks of its template, and what has changed: `part: element`. */
export async function lossesOf(template: Uint8Array, produced: Uint8Array): Promise<readonly string[]> {
  const before = await readPackage(template);
  const after = await readPackage(produced);
  const strings = [stringsOf(before), stringsOf(after)] as const;
  const losses: string[] = [];
  for (const [name, bytes] of before) {
    if (DROPPED.test(name)) continue;
    const result = after.get(name);
    if (result === undefined) losses.push(`${name}: the part`);
    else if (!Buffer.from(bytes).equals(result)) {
      if (!/\.(?:xml|rels|vml)$/i.test(name)) losses.push(`${name}: other bytes`);
      else if (!/sharedStrings\.xml$/i.test(name))
        losses.push(
          ...missing(factsOf(before, name, strings[0]), factsOf(after, name, strings[1])).map(
            (fact) => `${name}: ${fact}`,
          ),
        );
    }
  }
  return losses;
}

/** Results have no order of calculation (contract/report-templates.md#xlsx). */
const DROPPED = /calcChain\.xml$|vbaProject\.bin$/i;

function missing(before: readonly string[], after: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const fact of after) left.set(fact, (left.get(fact) ?? 0) + 1);
  return before.filter((fact) => {
    const count = left.get(fact) ?? 0;
    left.set(fact, count - 1);
    return count <= 0;
  });
}

/** One text for each element of a part: its path, attributes and text. */
function factsOf(parts: OoxmlPackage, name: string, strings: readonly string[]): readonly string[] {
  const facts: string[] = [];
  const visit = (element: Element, path: string): void => {
    if (isIgnored(element)) return;
    const own = `${path}/${element.localName}`;
    if (own === '/worksheet/sheetData') facts.push(...cellFacts(element, strings));
    else {
      const children = childrenOf(element);
      const text =
        children.length === 0
          ? (element.textContent ?? '').replaceAll(/\s*,\s*|\s+/g, (space) => space.trim() || ' ').trim()
          : '';
      // The list goes with its last name.
      if (own !== '/workbook/definedNames')
        facts.push(`${own}${attributesOf(element)}${text === '' ? '' : ` "${text}"`}`);
      for (const child of children) visit(child, own);
    }
  };
  visit(rootOf(parsePart(parts, name)), '');
  return facts;
}

/** Elements that results do not have, or that programs calculate. */
const IGNORED = new Set(['dimension', 'calcPr', 'sheetCalcPr', 'numCache', 'strCache', 'multiLvlStrCache', 'lvl']);
/** Attributes that results have or lack by their contract. */
const CHANGED = new Set(['spans', 'dyDescent', 'count', 'refreshOnLoad']);

/** Names of the bands, dropped parts, and external content, which has a blank address. */
const isIgnored = (element: Element): boolean =>
  (IGNORED.has(element.localName ?? '') && element.namespaceURI?.includes('wordprocessingml') === false) ||
  (element.localName === 'definedName' && element.getAttribute('name')?.startsWith('Lintel_') === true) ||
  (element.localName === 'p' && isOfContents(element)) ||
  DROPPED.test(element.getAttribute('PartName') ?? element.getAttribute('Target') ?? '') ||
  /macroEnabled/.test(element.getAttribute('ContentType') ?? '') ||
  element.getAttribute('TargetMode') === 'External';

/** Tables of contents are made anew; the last paragraph of one has no text. */
const isOfContents = (paragraph: Element): boolean =>
  (paragraph.textContent === '' && /fldCharType="end"/.test(paragraph.toString())) ||
  /^TOC\d$/i.test(paragraph.getElementsByTagNameNS('*', 'pStyle')[0]?.getAttribute('w:val') ?? '');

const attributesOf = (element: Element): string =>
  [...element.attributes]
    .filter(({ name, localName }) => !name.startsWith('xmlns') && !CHANGED.has(localName ?? ''))
    .map(({ localName, value }) => ` ${localName}=${value}`)
    .sort()
    .join('');

/** Rows with what they show besides cells, and cells with their value; a formula is calculated by the reader. */
function cellFacts(data: Element, strings: readonly string[]): readonly string[] {
  const facts: string[] = [];
  let number = 0;
  for (const row of childrenOf(data)) {
    number = Number(row.getAttribute('r') ?? number + 1);
    const attributes = ['s', 'ht', 'hidden', 'outlineLevel', 'collapsed', 'thickTop', 'thickBot', 'ph'];
    const shown = attributes
      .map((name) => [name, row.getAttribute(name)] as const)
      .filter(
        ([name, value]) =>
          value !== null &&
          !['0', 'false'].includes(value) &&
          (name !== 's' || isTrue(row.getAttribute('customFormat'))),
      );
    facts.push(...shown.map(([name, value]) => `row ${number} ${name}=${isTrue(value) ? 1 : Number(value)}`));
    let column = 0;
    for (const cell of childrenOf(row)) {
      const letters = /^[A-Za-z]+/.exec(cell.getAttribute('r') ?? '')?.[0];
      column = letters === undefined ? column + 1 : columnNumber(letters);
      const content = contentOf(cell, strings);
      const metadata = ['cm', 'vm', 'ph'].filter((name) => cell.getAttribute(name) !== null);
      const style = cell.getAttribute('s') ?? '0';
      if ((content === '' && style === '0') || content.includes('${')) continue;
      facts.push(`cell ${number},${column} s=${style} ${content} ${metadata}`.trim());
    }
  }
  return facts;
}

const isTrue = (value: string | null): boolean => value === '1' || value === 'true';

function contentOf(cell: Element, strings: readonly string[]): string {
  if (childOf(cell, 'f') !== undefined && childOf(cell, 'f')?.getAttribute('t') !== 'dataTable') return 'a formula';
  const value = childOf(cell, 'v')?.textContent ?? '';
  const type = cell.getAttribute('t') ?? 'n';
  const content = type === 's' ? (strings[Number(value)] ?? '') : (childOf(cell, 'is')?.toString() ?? value);
  return content === '' || /^<[^<]*<(?:\w+:)?t\s*\/><\/[^<]*>$/.test(content) ? '' : `${type} ${content}`;
}

/** Shared strings by number, with their formats. */
const stringsOf = (parts: OoxmlPackage): readonly string[] => {
  const name = [...parts.keys()].find((part) => /sharedStrings\.xml$/i.test(part));
  return name === undefined ? [] : childrenOf(rootOf(parsePart(parts, name)), 'si').map((item) => item.toString());
};
