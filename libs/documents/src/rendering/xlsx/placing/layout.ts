import type { BandData } from '../../../bands/band-data.ts';
import { ReportFailure } from '../../../report-failure.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../cells/area.ts';
import type { SheetTemplate, XlsxTemplate } from '../template/xlsx-template.ts';
import { type Placement, resultArea, type Span } from './placement.ts';

/**
 * The positions of all bands of a report. Copies are stored by row of the sheet; of a streamed band only the first and
 * the last copy are stored, and all others follow each other between them.
 */
export class Layout {
  readonly root: BandData;
  readonly template: XlsxTemplate;
  /** Number of used rows, by sheet. */
  readonly #usedRows: number[];
  readonly #rows: Map<number, Placement[]>[];
  readonly #placements = new Map<string, Placement[]>();
  readonly #spans = new Map<BandData, Map<string, Span>>();
  readonly #byData = new Map<BandData, Placement>();
  /** The band that is streamed. */
  streamed: Span | undefined;

  constructor(template: XlsxTemplate, root: BandData) {
    this.template = template;
    this.root = root;
    this.#usedRows = template.sheets.map(() => 0);
    this.#rows = template.sheets.map(() => new Map());
  }

  /** @throws ReportFailure when the sheet has no room for it */
  add(placement: Placement): void {
    const { range, data } = placement;
    assertFits(placement);
    const area = resultArea(placement);
    const rows = this.#rows[range.sheet.index];
    for (const row of range.rows) append(rows, row + placement.offset.rows, placement);
    append(this.#placements, range.band, placement);
    this.#byData.set(data, placement);
    this.use(range.sheet, area.bottom);
    for (let above = data.parent; above !== undefined; above = above.parent) this.#count(above, placement);
  }

  /** Adds a copy of the streamed band. Copies between the first and the last are not stored. */
  stream(placement: Placement): void {
    assertFits(placement);
    this.streamed ??= { first: placement, last: placement, count: 0 };
    this.streamed.last = placement;
    this.streamed.count += 1;
    this.use(placement.range.sheet, resultArea(placement).bottom);
  }

  use(sheet: SheetTemplate, lastRow: number): void {
    this.#usedRows[sheet.index] = Math.max(this.usedRows(sheet), lastRow);
  }

  usedRows(sheet: SheetTemplate): number {
    return this.#usedRows[sheet.index] ?? 0;
  }

  /** Copies that have content, or a break, in a row of a sheet. */
  placementsIn(sheet: SheetTemplate, row: number): readonly Placement[] {
    return this.#rows[sheet.index]?.get(row) ?? [];
  }

  /** All copies of a band that is not streamed, in their order. */
  placementsOf(band: string): readonly Placement[] {
    return this.#placements.get(band) ?? [];
  }

  placementOf(data: BandData): Placement | undefined {
    return this.#byData.get(data);
  }

  /** Returns the first and the last copy of a band below a row of another band; undefined where there is none. */
  spanOf(scope: BandData, band: string): Span | undefined {
    if (scope === this.root && this.streamed?.first.range.band === band) return this.streamed;
    return this.#spans.get(scope)?.get(band);
  }

  #count(above: BandData, placement: Placement): void {
    const spans = this.#spans.get(above) ?? new Map<string, Span>();
    this.#spans.set(above, spans);
    const span = spans.get(placement.range.band);
    if (span === undefined) spans.set(placement.range.band, { first: placement, last: placement, count: 1 });
    else {
      span.last = placement;
      span.count += 1;
    }
  }
}

function assertFits(placement: Placement): void {
  const { bottom, right } = resultArea(placement);
  const { name } = placement.range.sheet;
  if (bottom > MAX_ROWS)
    throw new ReportFailure(`The sheet ${name} would have more than the ${MAX_ROWS} rows that a sheet can hold.`);
  if (right > MAX_COLUMNS)
    throw new ReportFailure(`The sheet ${name} would have more than the ${MAX_COLUMNS} columns that a sheet can hold.`);
}

function append<K>(lists: Map<K, Placement[]> | undefined, key: K, placement: Placement): void {
  const list = lists?.get(key);
  if (list === undefined) lists?.set(key, [placement]);
  else list.push(placement);
}
