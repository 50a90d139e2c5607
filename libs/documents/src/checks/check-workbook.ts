import { suggestion } from '@lintel/errors';
import { findAliases, hasAlias, onlyAlias, type TextPieces } from '../rendering/aliases.ts';
import { Pauses } from '../rendering/ooxml/xml/pauses.ts';
import { childOf, childrenOf, parsePart, rootOf } from '../rendering/ooxml/xml/xml.ts';
import { type Area, areaText, around, intersection, isInside } from '../rendering/xlsx/cells/area.ts';
import { type ReferenceToken, tokenizeFormula } from '../rendering/xlsx/cells/formula-tokens.ts';
import { objectsOf, touchedRange } from '../rendering/xlsx/parts/edit-drawings.ts';
import { tablesOf } from '../rendering/xlsx/parts/edit-tables.ts';
import { isReportName } from '../rendering/xlsx/parts/read-names.ts';
import { rangeAt } from '../rendering/xlsx/placing/copies-of.ts';
import { isAggregate } from '../rendering/xlsx/placing/rewrite-formula.ts';
import type { BandRange, SheetTemplate, XlsxTemplate } from '../rendering/xlsx/template/xlsx-template.ts';
import { checkPackage, checkResembling, checkUnfilled } from './check-unfilled.ts';
import { bandIn, isAbove, isCopied, type KnownBand } from './known-band.ts';
import type { TemplateFindings } from './report-problem.ts';

interface CheckedCell {
  readonly sheet: SheetTemplate;
  readonly area: Area;
  /** The band that it is copied with. */
  readonly range: BandRange | undefined;
}

type Report = (severity: 'error' | 'warn', at: Omit<CheckedCell, 'range'>, message: string) => void;

/** Headers and footers of printed pages. */
const HEADERS = /<((?:\w+:)?(?:odd|even|first)(?:Header|Footer))(?: [^>]*)?>[^<]*<\/\1>/g;
const FORM_CONTROL = /<(?:\w+:)?control\s/;

/** Finds what a workbook would leave out or show wrongly: aliases, ranges, merged cells, references. */
export async function checkWorkbook(
  template: XlsxTemplate,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): Promise<void> {
  const pauses = new Pauses();
  const ranges = [...template.ranges.values()];
  const values = new Map(ranges.map((range) => [range, valuesOf(range)]));
  const contents = new Map(template.sheets.map((sheet) => [sheet, rowsOfColumns(sheet)]));
  const report: Report = (severity, { sheet, area }, message) =>
    findings[severity](message, `${sheet.name}!${areaText(area)}`);

  const checkAliases = (pieces: TextPieces, cell: CheckedCell): void => {
    for (const piece of pieces) {
      if (typeof piece === 'string') continue;
      const { name: field } = piece;
      findings.names.add(field);
      const band = cell.range && bands.get(cell.range.band);
      if (band === undefined) {
        report('warn', cell, `\${${field}} is outside of the ranges of all bands, so its cell is left out`);
        return;
      }
      const named = bandIn(field, bands);
      const isKnown =
        band.has(field) || (named !== undefined && isAbove(named.band, band) && named.band.has(named.field));
      if (!isKnown)
        report(
          'error',
          cell,
          `\${${field}} never has a value: it is no field of the band ${band.name} or of one above it`,
        );
    }
  };

  const checkReference = (token: ReferenceToken, cell: CheckedCell): void => {
    const { first, last = first } = token;
    const sheet = token.sheet === undefined ? cell.sheet : template.sheets.find(({ name }) => name === token.sheet);
    if (sheet === undefined || first.row === undefined || last.row === undefined || first.column === undefined) return;
    const area = { top: first.row, bottom: last.row, left: first.column, right: last.column ?? first.column };
    const touched = ranges.filter((range) => range.sheet === sheet && intersection(range.area, area) !== undefined);
    const warn = (problem: string): void => report('warn', cell, `the formula refers to ${token.text}${problem}`);
    if (touched.length === 0 && hasContent(contents.get(sheet), area))
      warn(', which is outside of the ranges of all bands and is left out');
    const own = cell.range && bands.get(cell.range.band);
    if (isCopied(own) && touched.some((range) => range === cell.range) && (first.isRowFixed || last.isRowFixed))
      warn(' of the same band: also a fixed row moves with each copy');
    const [of] = touched.map(({ band }) => bands.get(band));
    if (of?.isRepeated && token.last === undefined && !isAggregate(token) && !isAbove(of, own))
      warn(`: of several rows of the band ${of.name} it is the last one`);
    else if (of !== undefined && isCounting(token))
      for (const range of ranges) {
        const isGroup = range.sheet === sheet && isBetween(bands.get(range.band), of, own);
        if (isGroup && [...(values.get(range) ?? [])].some((column) => column >= area.left && column <= area.right))
          warn(` of all groups: values of ${range.band} count, too`);
      }
  };

  const checkFormula = async (pieces: TextPieces, cell: CheckedCell): Promise<void> => {
    const text = pieces.map((piece) => (typeof piece === 'string' ? piece : '0')).join('');
    for (const token of tokenizeFormula(text)) {
      if (pauses.isDue()) await pauses.take();
      if (token.kind === 'reference') checkReference(token, cell);
      else if (token.kind === 'other') {
        if (/\bINDIRECT\(/i.test(token.text))
          report('warn', cell, 'INDIRECT has its references as text, which bands do not move');
        for (const [word] of token.text.matchAll(/[\p{L}_][\p{L}\p{N}_.]*(?![\p{L}\p{N}_.]*[(![])/gu))
          if (template.ranges.has(word))
            report(
              'error',
              cell,
              `the formula becomes #NAME?: the name ${word} is that of a band, which the document does not have`,
            );
      }
    }
    if (text.includes('#REF!')) report('warn', cell, 'the formula has lost a reference (#REF!)');
  };

  for (const sheet of template.sheets) {
    const own = ranges.filter((range) => range.sheet === sheet);
    let lost: Area | undefined;
    for (const [row, { cells }] of sheet.rows) {
      for (const [column, { content }] of cells) {
        if (pauses.isDue()) await pauses.take();
        const area = { top: row, bottom: row, left: column, right: column };
        const cell = { sheet, area, range: own.find((range) => isInside(area, range.area)) };
        if (cell.range === undefined && content.kind !== 'empty' && !('pieces' in content && hasAlias(content.pieces)))
          lost = around(area, ...(lost === undefined ? [] : [lost]));
        const texts = content.kind === 'static' ? [content.text] : content.kind === 'text' ? content.pieces : [];
        checkResembling(texts, `${sheet.name}!${areaText(area)}`, findings);
        if (content.kind !== 'text' && content.kind !== 'formula') continue;
        checkAliases(content.pieces, cell);
        if (content.kind === 'formula' && cell.range !== undefined) await checkFormula(content.pieces, cell);
      }
    }
    if (lost !== undefined)
      report('warn', { sheet, area: lost }, 'content outside of the ranges of all bands is left out');
    for (const area of sheet.merges) {
      const touched = own.filter((range) => intersection(range.area, area) !== undefined);
      if (touched.length > 0 && !touched.some((range) => isInside(area, range.area) || isInside(range.area, area)))
        report(
          'warn',
          { sheet, area },
          `the merged cells are split: they are in ranges of ${touched.map(({ band }) => band).join(', ')}`,
        );
    }
  }
  for (const [index, { band, sheet, area }] of ranges.entries())
    for (const other of ranges.slice(index + 1)) {
      const common = other.sheet === sheet ? intersection(other.area, area) : undefined;
      if (common !== undefined)
        report('warn', { sheet, area: common }, `the cells are in the ranges of ${band} and of ${other.band}`);
    }
  await checkObjects(template, bands, report);
  await checkPackage(template.parts, findings);
  await checkOtherTexts(template, bands, findings);
  for (const { name, shell } of new Set(ranges.map(({ sheet }) => sheet)))
    if (shell !== undefined && FORM_CONTROL.test(Buffer.from(shell).toString('latin1')))
      findings.warn('the form controls stay where the template has them: bands do not move or copy them', name);
  for (const { kind, field, sheet, area } of template.hints)
    if (kind === 'style' && ![...bands.values()].some((band) => band.has(field)))
      report('warn', { sheet, area }, `the name hint_style_${field} has no effect: no band has this field`);
  const workbook = rootOf(parsePart(template.parts, template.workbookPart));
  for (const element of childrenOf(childOf(workbook, 'definedNames') ?? workbook, 'definedName')) {
    const name = element.getAttribute('name') ?? '';
    const [token, ...others] = tokenizeFormula(element.textContent ?? '');
    if (isReportName(name, template.ranges) || /^_xlnm/i.test(name) || token?.kind !== 'reference' || others.length > 0)
      continue;
    const near = suggestion(name, bands.keys());
    if (near !== '') findings.warn(`the range ${name} is no band of the report${near}`, token.text);
  }
}

/** Finds charts, tables and pictures that copies of a band do not have, or that their rows may cover. */
async function checkObjects(
  template: XlsxTemplate,
  bands: ReadonlyMap<string, KnownBand>,
  report: Report,
): Promise<void> {
  const pauses = new Pauses();
  const { parts, sheets, ranges } = template;
  const copied = [...ranges.values()].filter(({ band }) => isCopied(bands.get(band)));
  for (const sheet of sheets) {
    if (pauses.isDue()) await pauses.take();
    const check = (area: Area, range: BandRange | undefined, isOne: boolean): void => {
      const above = copied.find(
        ({ sheet: of, area: own }) =>
          of === sheet && own.bottom < area.top && own.left <= area.right && area.left <= own.right,
      );
      const at = { sheet, area: { ...area, bottom: area.top, right: area.left } };
      if (range === undefined && above !== undefined)
        report(
          'warn',
          at,
          `the object stays here: it belongs to no band, and rows of the band ${above.band} may be below it`,
        );
      else if (range !== undefined && isOne && copied.includes(range))
        report('warn', at, `the chart or table is there once, not for each row of the band ${range.band}`);
    };
    for (const { area, isChart } of objectsOf(parts, sheet)) check(area, touchedRange(template, sheet, area), isChart);
    for (const area of tablesOf(parts, sheet)) check(area, rangeAt(template, sheet, area), true);
  }
}

/** Finds aliases without a value in names of sheets, headers and footers, and those that are not filled. */
async function checkOtherTexts(
  template: XlsxTemplate,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): Promise<void> {
  for (const { name, part, shell } of template.sheets) {
    const filled = [name, ...(new TextDecoder().decode(shell).match(HEADERS) ?? [])];
    for (const { name: alias } of filled.flatMap(findAliases)) {
      findings.names.add(alias);
      const named = bandIn(alias, bands);
      if (named?.band.has(named.field) !== true)
        findings.error(
          `\${${alias}} never has a value: names of sheets, headers and footers show fields of a band`,
          name,
        );
    }
    const parts = shell === undefined ? template.parts : new Map(template.parts).set(part, shell);
    const locationOf = (of: string): string => (of === part ? name : `${name}, ${of.slice(of.lastIndexOf('/') + 1)}`);
    const filledParts = { names: [part], elements: HEADERS, hasFilledAddresses: false, locationOf };
    await checkUnfilled(parts, filledParts, findings);
  }
}

/** Whether a formula counts all values; SUBTOTAL ignores other subtotals. */
const isCounting = (token: ReferenceToken): boolean =>
  isAggregate(token) && token.inFunction !== 'SUBTOTAL' && token.inFunction !== 'AGGREGATE';

/** Whether rows of a band are between the rows of another one, of several groups, for a formula outside of the groups. */
function isBetween(band: KnownBand | undefined, of: KnownBand, from: KnownBand | undefined): boolean {
  let group: KnownBand | undefined;
  for (let above = of.parent; above !== undefined; above = above.parent)
    if (above.isRepeated && !isAbove(above, from)) group = above;
  return group !== undefined && band !== of && isAbove(group, band);
}

/** The columns of a range with formulas or single values. */
const valuesOf = ({ sheet, rows, area }: BandRange): ReadonlySet<number> =>
  new Set(
    rows
      .flatMap((row) => [...(sheet.rows.get(row)?.cells ?? [])])
      .filter(([, { content }]) => content.kind === 'formula' || (content.kind === 'text' && onlyAlias(content.pieces)))
      .flatMap(([column]) => (column >= area.left && column <= area.right ? [column] : [])),
  );

/** The rows in which a column has content, ascending, by column. */
type RowsOfColumns = ReadonlyMap<number, readonly number[]>;

function rowsOfColumns({ rows }: SheetTemplate): RowsOfColumns {
  const found = new Map<number, number[]>();
  for (const [row, { cells }] of rows)
    for (const [column, { content }] of cells)
      if (content.kind !== 'empty') (found.get(column) ?? found.set(column, []).get(column))?.push(row);
  for (const column of found.values()) column.sort((a, b) => a - b);
  return found;
}

function hasContent(columns: RowsOfColumns = new Map(), { top, bottom, left, right }: Area): boolean {
  for (const [column, rows] of columns) {
    if (column < left || column > right) continue;
    let [from, to] = [0, rows.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((rows[middle] ?? 0) < top) from = middle + 1;
      else to = middle;
    }
    if ((rows[from] ?? Number.POSITIVE_INFINITY) <= bottom) return true;
  }
  return false;
}
