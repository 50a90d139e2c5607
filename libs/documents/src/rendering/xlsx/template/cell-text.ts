import type { Element } from '@xmldom/xmldom';
import { findAliases, piecesOf, type TextPieces } from '../../aliases.ts';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { parsePartInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { Pauses } from '../../ooxml/xml/pauses.ts';
import { childOf, childrenOf, rootOf } from '../../ooxml/xml/xml.ts';
import { fromCellText } from '../cells/cell-text-form.ts';
import type { CellContent, SharedStrings, SheetTemplate } from './xlsx-template.ts';

/** The shared strings of a template. */
export interface ReadStrings {
  /** By number, without the formats within a text. */
  readonly texts: readonly string[];
  /** With these formats. */
  readonly elements: readonly Element[];
  /** Returns those that cells of the sheets show without changes. */
  readonly sharedBy: (sheets: readonly SheetTemplate[]) => Promise<SharedStrings>;
}

/** Reads the shared strings. */
export async function readSharedStrings(parts: OoxmlPackage, name: string | undefined): Promise<ReadStrings> {
  const part = name !== undefined && parts.has(name) ? name : undefined;
  const root = part === undefined ? undefined : rootOf(await parsePartInSlices(parts, part));
  const elements = root === undefined ? [] : childrenOf(root, 'si');
  const namespace = root?.namespaceURI ?? '';
  const sharedBy = async (sheets: readonly SheetTemplate[]): Promise<SharedStrings> => {
    const items = new Map<number, string>();
    const pauses = new Pauses();
    for (const number of sharedNumbers(sheets)) {
      if (pauses.isDue()) await pauses.take();
      const element = items.has(number) ? undefined : elements[number];
      // The part of the result declares the namespace.
      if (element !== undefined) items.set(number, element.toString().replace(`<si xmlns="${namespace}"`, '<si'));
    }
    return { part, namespace, items };
  };
  return { texts: elements.map(textOf), elements, sharedBy };
}

function* sharedNumbers(sheets: readonly SheetTemplate[]): Generator<number> {
  for (const { rows } of sheets)
    for (const { cells } of rows.values())
      for (const { content } of cells.values())
        if (content.kind === 'static' && content.shared !== undefined) yield content.shared;
}

/** Returns the text, or the stored value, of a cell without a formula. */
export function textOfCell(cell: Element, { texts }: ReadStrings): string {
  const inline = childOf(cell, 'is');
  if (inline !== undefined) return textOf(inline);
  const value = childOf(cell, 'v')?.textContent ?? '';
  switch (cell.getAttribute('t')) {
    case 's':
      return texts[Number(value)] ?? '';
    case 'str':
      return fromCellText(value);
    default:
      return value;
  }
}

/** Plain text, or runs with formats, without the phonetic text of East Asian languages. */
function textOf(element: Element): string {
  const plain = childOf(element, 't');
  if (plain !== undefined) return fromCellText(plain.textContent ?? '');
  return childrenOf(element, 'r')
    .map((run) => fromCellText(childOf(run, 't')?.textContent ?? ''))
    .join('');
}

/**
 * Splits the text of a cell at its aliases, and where its format changes. An alias has the format of its first
 * character; undefined for a text without aliases.
 */
export function piecesOfCell(
  cell: Element,
  text: string,
  { elements }: ReadStrings,
): Pick<CellContent & { kind: 'text' }, 'pieces' | 'formats'> | undefined {
  const aliases = findAliases(text);
  if (aliases.length === 0) return undefined;
  const runs = childrenOf(childOf(cell, 'is') ?? elements[Number(childOf(cell, 'v')?.textContent)] ?? cell, 'r');
  if (runs.length === 0) return { pieces: piecesOf(text) };
  const pieces: TextPieces[number][] = [];
  const formats: string[] = [];
  let [start, at] = [0, 0];
  for (const run of runs) {
    const end = start + textOf(run).length;
    // Rows declare the namespace.
    const format = childOf(run, 'rPr')?.toString().replace(` xmlns="${run.namespaceURI}"`, '') ?? '';
    const add = (piece: TextPieces[number], to: number): void => {
      at = to;
      if (piece !== '') formats.push(format);
      if (piece !== '') pieces.push(piece);
    };
    for (const alias of aliases.filter((one) => one.start >= at && one.start < end)) {
      add(text.slice(at, alias.start), alias.start);
      add(alias, alias.end);
    }
    if (at < end) add(text.slice(at, end), end);
    start = end;
  }
  return { pieces, formats };
}
