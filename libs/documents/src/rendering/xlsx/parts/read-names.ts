import type { Element } from '@xmldom/xmldom';
import { childOf, childrenOf } from '../../ooxml/xml/xml.ts';
import type { Area } from '../cells/area.ts';
import { type ReferenceToken, tokenizeFormula } from '../cells/formula-tokens.ts';
import type { BandRange, Hint, SheetTemplate } from '../template/xlsx-template.ts';

const HINT = /^hint_(?:style_(?<field>.+?)|(?<auto>rowAutoHeight))(?:_\d+)?$/;
/** The end of a range of whole rows or columns (contract/report-templates.md#xlsx). */
const OPEN_END = 255;

export interface Names {
  readonly ranges: ReadonlyMap<string, BandRange>;
  readonly hints: readonly Hint[];
}

/** Whether a name is removed from the workbook because it names a band or a hint of the report. */
export const isReportName = (name: string, ranges: ReadonlyMap<string, unknown>): boolean =>
  ranges.has(name) || HINT.test(name);

/**
 * Reads the named ranges of a workbook that are bands or hints, and ignores all other names. Names of the workbook have
 * precedence over those of a sheet.
 *
 * @throws Error when a band or a hint is no plain range of one sheet
 */
export function readNames(workbook: Element, sheets: readonly SheetTemplate[], bands: ReadonlySet<string>): Names {
  const ranges = new Map<string, BandRange>();
  const hints: Hint[] = [];
  const elements = childrenOf(childOf(workbook, 'definedNames') ?? workbook, 'definedName');
  const isOfSheet = (element: Element): boolean => element.getAttribute('localSheetId') !== null;
  for (const element of elements.toSorted((one, other) => Number(isOfSheet(one)) - Number(isOfSheet(other)))) {
    const name = element.getAttribute('name') ?? '';
    const hint = HINT.exec(name);
    if (hint === null && (!bands.has(name) || ranges.has(name))) continue;
    const { sheet, area } = rangeOf(name, element.textContent ?? '', sheets);
    const isInside = (row: number): boolean => row >= area.top && row <= area.bottom;
    if (hint === null) ranges.set(name, { band: name, sheet, area, rows: sheet.filledRows.filter(isInside) });
    else {
      const field = hint.groups?.['field'] ?? '';
      hints.push({ kind: field === '' ? 'rowAutoHeight' : 'style', field, sheet, area });
    }
  }
  return { ranges, hints };
}

function rangeOf(
  name: string,
  formula: string,
  sheets: readonly SheetTemplate[],
): { readonly sheet: SheetTemplate; readonly area: Area } {
  const tokens = tokenizeFormula(formula);
  const [token] = tokens;
  const sheet = tokens.length === 1 && token?.kind === 'reference' ? sheetOf(token, sheets) : undefined;
  if (sheet === undefined || token?.kind !== 'reference')
    throw new Error(`Wrong range value ${formula} of the name ${name}: it must be one range of cells of a sheet`);
  return { sheet, area: areaOf(token) };
}

const sheetOf = (token: ReferenceToken, sheets: readonly SheetTemplate[]): SheetTemplate | undefined =>
  sheets.find(({ name }) => name.toLowerCase() === token.sheet?.toLowerCase());

function areaOf({ first, last = first }: ReferenceToken): Area {
  const rows = first.row === undefined || last.row === undefined ? [1, OPEN_END] : [first.row, last.row];
  const columns = first.column === undefined || last.column === undefined ? [1, OPEN_END] : [first.column, last.column];
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}
