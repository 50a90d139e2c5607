import type { ReportBand, ReportDefinition } from '@lintel/application';
import { parseContentFormat } from '../../formats/content-format.ts';
import { type Area, intersection, isInside, sharesRows } from '../cells/area.ts';
import { tokenizeFormula } from '../cells/formula-tokens.ts';
import { objectsOf } from '../parts/edit-drawings.ts';
import type { BandRange, XlsxTemplate } from './xlsx-template.ts';

/**
 * Chooses the band whose rows are written while they are read, so that a report of a million rows needs no more memory
 * than one of ten: the one that the definition names, else the only one that can be streamed.
 *
 * @param bands of the first level, in their order
 * @param formats of the report: cells with pictures are not streamed
 * @throws Error when the definition names a band that cannot be streamed
 */
export function streamedBandOf(
  template: XlsxTemplate,
  bands: readonly ReportBand[],
  formats: Formats = {},
): ReportBand | undefined {
  const nested = bands.flatMap(({ bands: below = [] }) => below.flatMap(withDescendants));
  for (const band of nested)
    if (band.streaming === true) throw new Error(`the band ${band.name} cannot be streamed: it is below another band`);
  const wanted = bands.filter(({ streaming }) => streaming === true);
  const [band, other] = wanted;
  if (other !== undefined) throw new Error(`only one band can be streamed, not ${band?.name} and ${other.name}`);
  if (band === undefined) {
    const possible = bands.filter((one) => obstacles(one, bands, template, formats).length === 0);
    return possible.length === 1 ? possible[0] : undefined;
  }
  const problems = obstacles(band, bands, template, formats);
  if (problems.length > 0) throw new Error(`the band ${band.name} cannot be streamed: ${problems.join('; ')}`);
  return band;
}

type Formats = NonNullable<ReportDefinition['formats']>;

/** A band and all bands below it. */
export const withDescendants = (band: ReportBand): readonly ReportBand[] => [
  band,
  ...(band.bands ?? []).flatMap(withDescendants),
];

/** Returns the reasons why a band cannot be streamed (contract/report-data.md#data). */
function obstacles(
  band: ReportBand,
  bands: readonly ReportBand[],
  template: XlsxTemplate,
  formats: Formats,
): readonly string[] {
  const problems: string[] = [];
  if ((band.orientation ?? 'horizontal') !== 'horizontal') problems.push('it is not horizontal');
  if ((band.bands ?? []).length > 0) problems.push('it has bands below it');
  if ((band.dataSets ?? []).length !== 1) problems.push('it has not exactly one data set');
  if (bands.flatMap(withDescendants).some(({ orientation = 'horizontal' }) => orientation !== 'horizontal'))
    problems.push('the report has vertical or cross bands');
  const range = template.ranges.get(band.name);
  const isPicture = (name: string): boolean => {
    const format = formats[name];
    return typeof format === 'string' && parseContentFormat(format) !== undefined;
  };
  if (range !== undefined && fieldsIn(range).some((field) => isPicture(field) || isPicture(`${band.name}.${field}`)))
    problems.push('its cells show pictures');
  return range === undefined
    ? [...problems, 'the workbook has no range of its name']
    : [...problems, ...obstaclesInSheet(range, bands, template)];
}

function obstaclesInSheet(range: BandRange, bands: readonly ReportBand[], template: XlsxTemplate): readonly string[] {
  const problems: string[] = [];
  const { sheet, area } = range;
  const others = [...template.ranges.values()].filter((one) => one !== range && one.sheet === sheet);
  if (area.top !== area.bottom) problems.push('its range has several rows');
  if (others.some((one) => sharesRows(one.area, area))) problems.push('other bands are on the same row');
  if (objectsOf(template.parts, sheet).some((one) => !one.isChart && intersection(one.area, area) !== undefined))
    problems.push('a picture is in its range');
  if (sheet.linked.some((linked) => intersection(linked, area) !== undefined))
    problems.push('hyperlinks or sparklines are in its range');
  if (sheet.breaks.has(area.top)) problems.push('its row has a page break');
  if (isNamedOutside(range, template)) problems.push('the name, header or footer of a sheet shows its fields');
  // All formulas of a high range would be read in one step, and it is not streamed anyway.
  if (area.top === area.bottom && looksAhead(range, bands, template))
    problems.push('a formula in it or above it refers to cells that come later');
  return problems;
}

const fieldsIn = ({ sheet, area }: BandRange): readonly string[] =>
  [...(sheet.rows.get(area.top)?.cells.values() ?? [])].flatMap(({ content }) =>
    content.kind === 'text' ? content.pieces.flatMap((piece) => (typeof piece === 'object' ? [piece.name] : [])) : [],
  );

const isNamedOutside = ({ band }: BandRange, { sheets }: XlsxTemplate): boolean =>
  sheets.some(({ namedOutside }) => namedOutside.has(band));

/**
 * Whether a formula that is written before the last row of the band depends on that row. Formulas below it and on other
 * sheets are written later.
 */
function looksAhead(streamed: BandRange, bands: readonly ReportBand[], { ranges }: XlsxTemplate): boolean {
  const index = bands.findIndex(({ name }) => name === streamed.band);
  const before = new Set(
    bands
      .slice(0, index)
      .flatMap(withDescendants)
      .map(({ name }) => name),
  );
  for (const range of ranges.values()) {
    const isOwn = range === streamed;
    if (range.sheet !== streamed.sheet || !(isOwn || before.has(range.band))) continue;
    for (const area of referencesIn(range)) {
      if (isInside(area, range.area)) continue;
      const later = [...ranges.values()].some(
        (one) => one.sheet === streamed.sheet && !before.has(one.band) && intersection(area, one.area) !== undefined,
      );
      if (later) return true;
    }
  }
  return false;
}

/**
 * Yields the areas that formulas of a range refer to; references to other sheets count as references to the own one.
 */
function* referencesIn({ sheet, area, rows: filled }: BandRange): Generator<Area> {
  for (const row of filled)
    for (const [column, { content }] of sheet.rows.get(row)?.cells ?? []) {
      if (content.kind !== 'formula' || column < area.left || column > area.right) continue;
      const text = content.pieces.map((piece) => (typeof piece === 'string' ? piece : '0')).join('');
      for (const token of tokenizeFormula(text)) {
        if (token.kind !== 'reference') continue;
        const { first, last = first } = token;
        const rows = [first.row ?? 1, last.row ?? Number.MAX_SAFE_INTEGER];
        const columns = [first.column ?? 1, last.column ?? Number.MAX_SAFE_INTEGER];
        yield {
          top: Math.min(...rows),
          bottom: Math.max(...rows),
          left: Math.min(...columns),
          right: Math.max(...columns),
        };
      }
    }
}
