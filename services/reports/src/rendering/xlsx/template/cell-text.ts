import type { Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { childOf, childrenOf, parsePart, rootOf } from '../../ooxml/xml.ts';
import { fromCellText } from '../cells/cell-text-form.ts';

/** The texts that cells share, by number; formats within a text are left out. */
export const readSharedStrings = (parts: OoxmlPackage, part: string | undefined): readonly string[] =>
  part === undefined || !parts.has(part) ? [] : childrenOf(rootOf(parsePart(parts, part)), 'si').map(textOf);

/** The text of a cell without a formula, as people see it where it is a text. */
export function textOfCell(cell: Element, sharedStrings: readonly string[]): string {
  const inline = childOf(cell, 'is');
  if (inline !== undefined) return textOf(inline);
  const value = childOf(cell, 'v')?.textContent ?? '';
  switch (cell.getAttribute('t')) {
    case 's':
      return sharedStrings[Number(value)] ?? '';
    case 'str':
      return fromCellText(value);
    default:
      return value;
  }
}

/** Plain text, or runs with formats; how East Asian texts are read is no part of it. */
function textOf(element: Element): string {
  const plain = childOf(element, 't');
  if (plain !== undefined) return fromCellText(plain.textContent ?? '');
  return childrenOf(element, 'r')
    .map((run) => fromCellText(childOf(run, 't')?.textContent ?? ''))
    .join('');
}
