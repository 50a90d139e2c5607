import type { Document, Element } from '@xmldom/xmldom';
import { findAliases, piecesOf, type TextPieces } from '../../aliases.ts';
import { OoxmlError } from '../../ooxml/ooxml-package.ts';
import { parseXmlInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { Pauses } from '../../ooxml/xml/pauses.ts';
import { writeXmlInSlices } from '../../ooxml/xml/write-xml-in-slices.ts';
import { childOf, childrenOf, rootOf } from '../../ooxml/xml/xml.ts';
import { type Area, type CellPosition, columnNumber, MAX_COLUMNS, MAX_ROWS, parseArea } from '../cells/area.ts';
import { escapeXml } from '../cells/cell-text-form.ts';
import { tokenizeFormula } from '../cells/formula-tokens.ts';
import { shiftRelative } from '../cells/shift-relative.ts';
import { createElement } from '../parts/sheet-order.ts';
import { piecesOfCell, type ReadStrings, textOfCell } from './cell-text.ts';
import type { CellContent, CellTemplate, ColumnTemplate, RowTemplate, SheetTemplate } from './xlsx-template.ts';

/** Shared formulas by number: the text of the first cell, from which those of the others are derived. */
type SharedFormulas = Map<string, { readonly formula: string; readonly position: CellPosition }>;

/**
 * Reads a sheet: its cells as templates, the rest unchanged as `shell`.
 *
 * @throws OoxmlError for a part that is no worksheet, and for cells that no sheet can have
 */
export async function readSheet(
  bytes: Uint8Array,
  sheet: Pick<SheetTemplate, 'index' | 'name' | 'part'>,
  strings: ReadStrings,
): Promise<SheetTemplate> {
  const document = await parseXmlInSlices(bytes, sheet.part);
  const root = rootOf(document);
  const data = childOf(root, 'sheetData');
  if (root.localName !== 'worksheet' || data === undefined)
    throw new OoxmlError(`the part ${sheet.part} of the sheet ${sheet.name} is no worksheet`);
  const rows = await readRows(data, sheet.name, strings);
  const breaks = new Set(
    childrenOf(childOf(root, 'rowBreaks') ?? root, 'brk').map((element) => Number(element.getAttribute('id'))),
  );
  const read = {
    ...sheet,
    rows,
    breaks,
    filledRows: [...new Set([...rows.keys(), ...breaks])].sort((one, other) => one - other),
    columns: readColumns(root),
    merges: areasOf(root, 'mergeCells', 'mergeCell'),
    linked: linkedCells(root),
  };
  // In one step: xmldom would renumber the children for each one that is removed.
  root.replaceChild(createElement(root, 'sheetData', {}), data);
  const shell = await shellOf(document);
  const outside = findAliases(sheet.name + new TextDecoder().decode(shell));
  return { ...read, shell, namedOutside: new Set(outside.map(({ name }) => name.split('.')[0] ?? '')) };
}

function linkedCells(root: Element): readonly Area[] {
  const links = [...root.getElementsByTagNameNS('*', 'hyperlink')].map((element) => element.getAttribute('ref'));
  const lines = [...root.getElementsByTagNameNS('*', 'sparkline')].map(
    (element) => childrenOf(element, 'sqref')[0]?.textContent,
  );
  return [...links, ...lines].flatMap((text) => parseArea(text ?? '') ?? []);
}

async function shellOf(document: Document): Promise<Uint8Array> {
  const root = rootOf(document);
  for (const name of ['dimension', 'mergeCells', 'rowBreaks', 'cols', 'sheetCalcPr'])
    for (const element of childrenOf(root, name)) root.removeChild(element);
  return writeXmlInSlices(document);
}

async function readRows(data: Element, sheet: string, strings: ReadStrings): Promise<ReadonlyMap<number, RowTemplate>> {
  const rows = new Map<number, RowTemplate>();
  const formulas: SharedFormulas = new Map();
  let number = 0;
  const pauses = new Pauses();
  for (const element of childrenOf(data, 'row')) {
    number = Number(element.getAttribute('r') ?? number + 1);
    if (!(Number.isInteger(number) && number >= 1 && number <= MAX_ROWS))
      throw new OoxmlError(
        `the sheet ${sheet} has a row ${element.getAttribute('r') ?? number}: 1 to ${MAX_ROWS} are possible`,
      );
    if (pauses.isDue()) await pauses.take();
    const height = element.getAttribute('ht');
    const level = element.getAttribute('outlineLevel');
    const cells = readCells(element, number, strings, formulas);
    // Some programs write several elements for one row.
    const before = rows.get(number);
    rows.set(number, {
      cells: before === undefined ? cells : new Map([...before.cells, ...cells]),
      height: height === null ? before?.height : Number(height),
      outlineLevel: level === null ? before?.outlineLevel : Number(level),
      isHidden: isTrue(element.getAttribute('hidden')) || before?.isHidden === true,
      attributes: attributesOfRow(element) || (before?.attributes ?? ''),
    });
  }
  return rows;
}

/** Values that a reader takes as absent are left out, so that a row without cells stays absent. */
const attributesOfRow = (row: Element): string =>
  (isTrue(row.getAttribute('customFormat')) ? `${attributeOf(row, 's')} customFormat="1"` : '') +
  ['collapsed', 'thickTop', 'thickBot', 'ph']
    .map((name) => (isTrue(row.getAttribute(name)) ? ` ${name}="1"` : ''))
    .join('');

/** An attribute with a number, as XML. */
const attributeOf = (element: Element, name: string): string =>
  /^\d+$/.test(element.getAttribute(name) ?? '') ? ` ${name}="${element.getAttribute(name)}"` : '';

function readCells(
  row: Element,
  rowNumber: number,
  strings: ReadStrings,
  formulas: SharedFormulas,
): ReadonlyMap<number, CellTemplate> {
  const cells = new Map<number, CellTemplate>();
  let column = 0;
  for (const element of childrenOf(row, 'c')) {
    const letters = /^[A-Za-z]{1,3}/.exec(element.getAttribute('r') ?? '')?.[0];
    column = letters === undefined ? column + 1 : columnNumber(letters);
    if (column > MAX_COLUMNS) throw new OoxmlError(`the row ${rowNumber} has a cell beyond XFD, the last column`);
    const content = readContent(element, { row: rowNumber, column }, strings, formulas);
    cells.set(column, { style: element.getAttribute('s') ?? undefined, content });
  }
  return cells;
}

function readContent(
  cell: Element,
  position: CellPosition,
  strings: ReadStrings,
  formulas: SharedFormulas,
): CellContent {
  const formula = childOf(cell, 'f');
  if (formula !== undefined) {
    const content = formulaContent(formula, position, formulas, attributeOf(cell, 'cm'));
    if (content !== undefined) return content;
  }
  const text = textOfCell(cell, strings);
  const pieces = piecesOfCell(cell, text, strings);
  if (pieces !== undefined) return { kind: 'text', ...pieces };
  const type = cell.getAttribute('t');
  const value = childOf(cell, 'v')?.textContent ?? '';
  const shared = type === 's' ? Number(value) : undefined;
  if (shared !== undefined && strings.texts[shared] === undefined) return { kind: 'empty' };
  const inline = childOf(cell, 'is');
  const body = (value === '' ? '' : `<v>${escapeXml(value)}</v>`) + (inline === undefined ? '' : inline.toString());
  if (body === '') return { kind: 'empty' };
  const attributes = (type === null ? '' : ` t="${type}"`) + attributeOf(cell, 'vm');
  return { kind: 'static', attributes, body, text, shared };
}

function formulaContent(
  formula: Element,
  position: CellPosition,
  formulas: SharedFormulas,
  metadata: string,
): CellContent | undefined {
  const type = formula.getAttribute('t');
  const text = formula.textContent ?? '';
  // Only the stored values of a data table are used: it depends on input cells that move.
  if (type === 'dataTable') return undefined;
  const number = formula.getAttribute('si');
  if (type === 'shared' && number !== null) {
    if (text !== '') formulas.set(number, { formula: text, position });
    const shared = formulas.get(number);
    if (shared === undefined) return undefined;
    const offset = { rows: position.row - shared.position.row, columns: position.column - shared.position.column };
    const own = shiftRelative(tokenizeFormula(shared.formula), offset);
    return { kind: 'formula', pieces: piecesOfFormula(own), array: undefined, metadata: '' };
  }
  if (text === '') return undefined;
  const reference = formula.getAttribute('ref');
  const array = type === 'array' && reference !== null ? parseArea(reference) : undefined;
  return { kind: 'formula', pieces: piecesOfFormula(text), array, metadata: array === undefined ? '' : metadata };
}

/** Splits a formula at its aliases, but not those in the name of a sheet, which are filled with the name. */
function piecesOfFormula(formula: string): TextPieces {
  const pieces: TextPieces[number][] = [];
  let text = '';
  for (const token of tokenizeFormula(formula)) {
    if (token.kind === 'reference' && token.sheet?.includes('${') === true) {
      pieces.push(...piecesOf(text), token.text);
      text = '';
    } else text += token.text;
  }
  return [...pieces, ...piecesOf(text)];
}

/** Definitions that overlap an earlier one are left out: a sheet has one for each column. */
function readColumns(root: Element): readonly ColumnTemplate[] {
  let end = 0;
  return childrenOf(childOf(root, 'cols') ?? root, 'col').flatMap((element) => {
    const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
    const { min, max, ...others } = attributes;
    const width = others['width'];
    const [first, last] = [Number(min), Number(max)];
    if (!(first > end && last >= first)) return [];
    end = last;
    return [{ first, last, width: width === undefined ? undefined : Number(width), attributes: others }];
  });
}

/** Reads the areas of the attributes `ref`. */
const areasOf = (root: Element, list: string, item: string): readonly Area[] =>
  childrenOf(childOf(root, list) ?? root, item).flatMap((element) => {
    const area = parseArea(element.getAttribute('ref') ?? '');
    return area === undefined ? [] : [area];
  });

const isTrue = (value: string | null): boolean => value === '1' || value === 'true';
