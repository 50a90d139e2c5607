import { type Area, isInside, MAX_COLUMNS, MAX_ROWS } from '../cells/area.ts';
import { type FormulaToken, type ReferenceEnd, type ReferenceToken, referenceText } from '../cells/formula-tokens.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { Layout } from './layout.ts';
import { type MappedArea, mapArea } from './map-area.ts';
import type { Placement } from './placement.ts';

/** The location of a formula, and the layout that its references refer to. */
export interface FormulaLocation {
  readonly layout: Layout;
  /** The sheet of references without a sheet; undefined where all have one, as in charts. */
  readonly sheet: SheetTemplate | undefined;
  /** The copy that the formula is in. */
  readonly from: Placement | undefined;
  /** Names of the sheets in the result. */
  readonly sheetNames: readonly string[];
  /**
   * Whether a reference to one cell of a band means all its copies, as in charts, names, lists and sparklines; else only
   * in aggregates. `page` also keeps the margins around the bands, which charts may cover.
   */
  readonly meaning?: 'set' | 'page' | undefined;
  /** The cells of a rule, whose copies have one formula in common; undefined for a formula that each copy has. */
  readonly rule?: Area | undefined;
}

/** Functions that aggregate cells: in them a reference to a row of a band refers to all its rows. */
const AGGREGATES = new Set(
  (
    'SUM AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MIN MINA MAX MAXA PRODUCT SUMSQ MEDIAN MODE GEOMEAN HARMEAN ' +
    'STDEV STDEVP STDEV.S STDEV.P STDEVA VAR VARP VAR.S VAR.P SUBTOTAL AGGREGATE SUMPRODUCT SUMIF SUMIFS COUNTIF ' +
    'COUNTIFS AVERAGEIF AVERAGEIFS MAXIFS MINIFS LARGE SMALL PERCENTILE PERCENTILE.INC PERCENTILE.EXC QUARTILE ' +
    'QUARTILE.INC QUARTILE.EXC RANK RANK.EQ RANK.AVG MODE.SNGL TRIMMEAN CONCAT TEXTJOIN UNIQUE SORT SORTBY FILTER ' +
    'IRR NPV MIRR XIRR XNPV CORREL SLOPE INTERCEPT RSQ FREQUENCY DEVSQ AVEDEV XLOOKUP XMATCH'
  ).split(' '),
);

/**
 * Moves the references of a formula to the cells of the result, and extends them over all copies of a band
 * (contract/report-templates.md#xlsx, "Formulas"). References with dollar signs move as well and keep the signs.
 *
 * @returns undefined when a reference is to a band that has no rows here
 */
export function rewriteFormula(tokens: readonly FormulaToken[], location: FormulaLocation): string | undefined {
  let text = '';
  for (const token of tokens) {
    const piece = token.kind === 'reference' ? rewriteReference(token, location) : token.text;
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}

function rewriteReference(token: ReferenceToken, location: FormulaLocation): string | undefined {
  const { layout, from, sheetNames } = location;
  const sheet = token.sheet === undefined ? location.sheet : sheetNamed(layout, token.sheet);
  if (sheet === undefined) return token.text;
  const name = sheetNames[sheet.index];
  const prefix = token.sheet === undefined || name === token.sheet ? prefixOf(token) : `${quoted(name ?? '')}!`;
  const unmoved = prefix + token.text.slice(prefixOf(token).length);
  const { first, last = first } = token;
  // Whole columns contain their cells at any position.
  if (first.row === undefined || last.row === undefined) return unmoved;
  const area: Area = {
    top: Math.min(first.row, last.row),
    bottom: Math.max(first.row, last.row),
    left: Math.min(first.column ?? 1, last.column ?? MAX_COLUMNS),
    right: Math.max(first.column ?? 1, last.column ?? MAX_COLUMNS),
  };
  const ofRows = first.column === undefined;
  const grows = location.meaning !== undefined || isAggregate(token);
  const isCommon = isCommonToCopies(token, location);
  const scope = isCommon && grows ? undefined : from;
  const mapped = mapArea(layout, sheet, ofRows && scope !== undefined ? withinOwn(area, scope) : area, scope);
  if (mapped.kind === 'kept') return unmoved;
  if (mapped.kind === 'empty') return undefined;
  if (location.meaning === 'page') return prefix + endsText(token, withMargins(mapped, area), ofRows);
  if (token.last !== undefined || grows) return prefix + endsText(token, mapped.all, ofRows);
  const isOwn = from !== undefined && sheet === from.range.sheet && isInside(area, from.range.area);
  return prefix + endsText(isCommon && isOwn ? released(token, location) : token, mapped.last, ofRows);
}

/** Functions that Excel added later have a prefix in files. */
export const isAggregate = ({ inFunction }: ReferenceToken): boolean =>
  inFunction !== undefined && AGGREGATES.has(inFunction.replace(/^(?:_XLFN\.)?(?:_XLWS\.)?/, ''));

/** Whether a reference of a rule is the same for all copies of its band, because its row or column is fixed. */
function isCommonToCopies({ first, last = first }: ReferenceToken, { from, rule }: FormulaLocation): boolean {
  if (from === undefined || rule === undefined) return false;
  return from.data.orientation === 'horizontal'
    ? first.isRowFixed && last.isRowFixed
    : first.isColumnFixed && last.isColumnFixed;
}

/**
 * A fixed reference of a rule to a cell of its own copy: relative, so that it means the same for every copy. The rule
 * must have one row, or one column of a vertical band.
 */
function released(token: ReferenceToken, { from, rule }: FormulaLocation): ReferenceToken {
  if (from?.data.orientation === 'horizontal')
    return rule?.top === rule?.bottom ? { ...token, first: { ...token.first, isRowFixed: false } } : token;
  return rule?.left === rule?.right ? { ...token, first: { ...token.first, isColumnFixed: false } } : token;
}

/** Adds to the copies the cells around their bands that the area of the template has. */
const withMargins = ({ all, touched }: MappedArea & { readonly kind: 'moved' }, area: Area): Area => ({
  top: Math.max(1, all.top - (touched.top - area.top)),
  left: Math.max(1, all.left - (touched.left - area.left)),
  bottom: Math.min(MAX_ROWS, all.bottom + area.bottom - touched.bottom),
  right: Math.min(MAX_COLUMNS, all.right + area.right - touched.right),
});

/** Whole rows within the formula's own band refer to the rows of its copy. */
function withinOwn(area: Area, { range }: Placement): Area {
  const { top, bottom, left, right } = range.area;
  return area.top >= top && area.bottom <= bottom ? { ...area, left, right } : area;
}

function endsText(token: ReferenceToken, area: Area, ofRows: boolean): string {
  const { first, last = first } = token;
  const at = (end: ReferenceEnd, row: number, column: number): ReferenceEnd => ({
    ...end,
    row,
    column: ofRows ? undefined : column,
  });
  const isSingle = token.last === undefined && area.top === area.bottom && area.left === area.right;
  return referenceText(
    undefined,
    at(first, area.top, area.left),
    isSingle ? undefined : at(last, area.bottom, area.right),
  );
}

const sheetNamed = (layout: Layout, name: string): SheetTemplate | undefined =>
  layout.template.sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase());

const prefixOf = ({ text, sheet }: ReferenceToken): string =>
  sheet === undefined ? '' : text.slice(0, text.lastIndexOf('!') + 1);

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`;
