import type { BandData } from '../../../bands/band-data.ts';
import { sharesRows } from '../cells/area.ts';
import type { BandRange, XlsxTemplate } from '../template/xlsx-template.ts';
import { Layout } from './layout.ts';
import { type Placement, resultArea } from './placement.ts';

/**
 * Assigns a position to every row of every band (contract/report-templates.md#xlsx, "Position"). Horizontal bands
 * extend downwards, vertical ones to the right. No row overlaps an earlier one, except a child on the first row of its
 * parent.
 */
export function positionBands(template: XlsxTemplate, root: BandData, signal: AbortSignal): Layout {
  const layout = new Layout(template, root);
  const positioner = new BandPositioner(layout, signal);
  for (const rows of root.children.values()) positioner.positionRows(rows);
  return layout;
}

/** Assigns positions to rows of bands, one after the other. */
export class BandPositioner {
  readonly #layout: Layout;
  readonly #signal: AbortSignal;
  /** By row of a band: the lowest sheet row of it and its descendants, for each sheet. */
  readonly #bottoms = new Map<BandData, Map<number, number>>();
  /** By row of a band: the number of columns by which its vertical bands shift later ones to the right. */
  readonly #shifts = new Map<BandData, number>();
  /** The first copy of each first-level band, beside which other bands may be positioned. */
  readonly #beside: Placement[] = [];
  /** By parent: the first copy of each vertical band, beside which other bands may be positioned. */
  readonly #vertical = new Map<BandData, Placement[]>();

  constructor(layout: Layout, signal: AbortSignal) {
    this.#layout = layout;
    this.#signal = signal;
  }

  /** Positions all rows of one band below one parent, with their descendants. */
  positionRows(rows: readonly BandData[]): void {
    let last: Placement | undefined;
    for (const data of rows) {
      this.#signal.throwIfAborted();
      const range = this.#layout.template.ranges.get(data.name);
      if (range !== undefined) last = this.#positionRow(range, data, last);
      // Children of a vertical band with a range have no position.
      if (range === undefined || data.orientation === 'horizontal')
        for (const children of data.children.values()) this.positionRows(children);
    }
  }

  #positionRow(range: BandRange, data: BandData, last: Placement | undefined): Placement {
    const isVertical = data.orientation === 'vertical';
    const top =
      last === undefined
        ? this.#firstTop(range, data)
        : isVertical
          ? resultArea(last).top
          : this.#bottom(last.data, range) + 1;
    const columns = isVertical ? this.#verticalShift(range, data, last, top) : this.#horizontalShift(data);
    const placement: Placement = { range, data, offset: { rows: top - range.area.top, columns } };
    this.#layout.add(placement);
    this.#recordBottom(placement);
    this.#recordNeighbour(placement, last === undefined);
    return placement;
  }

  /** Returns the top row of the first copy of a band below its parent. */
  #firstTop(range: BandRange, data: BandData): number {
    const beside = this.#vertical
      .get(parentOf(data))
      ?.find((one) => one.range.sheet === range.sheet && sharesRows(one.range.area, range.area));
    if (data.orientation === 'vertical' && beside !== undefined) return resultArea(beside).top;
    const parent = this.#positionedParent(data);
    if (parent !== undefined && parent.range.sheet === range.sheet)
      return parent.range.area.top === range.area.top ? resultArea(parent).top : this.#bottom(parent.data, range) + 1;
    const neighbour = this.#beside.find(
      (one) =>
        one.range.sheet === range.sheet && one.range.band !== range.band && sharesRows(one.range.area, range.area),
    );
    if (neighbour !== undefined && this.#layout.spanOf(this.#layout.root, range.band) === undefined)
      return resultArea(neighbour).top;
    return this.#layout.usedRows(range.sheet) + 1;
  }

  #verticalShift(range: BandRange, data: BandData, last: Placement | undefined, top: number): number {
    const width = range.area.right - range.area.left + 1;
    if (last !== undefined) return last.offset.columns + width;
    const shift = this.#shifts.get(parentOf(data)) ?? this.#horizontalShift(data);
    const bottom = top + range.area.bottom - range.area.top;
    const before = (this.#vertical.get(parentOf(data)) ?? [])
      .map((one) => this.#layout.spanOf(parentOf(data), one.range.band)?.last ?? one)
      .filter((one) => one.range.sheet === range.sheet)
      .map(resultArea)
      .filter((area) => area.top <= bottom && top <= area.bottom);
    if (before.length === 0) return this.#horizontalShift(data);
    const end = before.reduce((last, { right }) => Math.max(last, right), 0);
    return Math.max(shift, end + 1 - range.area.left);
  }

  /**
   * Horizontal bands have the shift of the vertical ones before them below the same parent; on the first level none.
   */
  #horizontalShift(data: BandData): number {
    const parent = this.#positionedParent(data);
    if (parent === undefined) return 0;
    return data.orientation === 'horizontal'
      ? (this.#shifts.get(parentOf(data)) ?? parent.offset.columns)
      : parent.offset.columns;
  }

  /** Returns the nearest ancestor row with a range; bands without a range are ignored. */
  #positionedParent(data: BandData): Placement | undefined {
    for (let above = data.parent; above !== undefined; above = above.parent) {
      const placement = this.#layout.placementOf(above);
      if (placement !== undefined) return placement;
    }
    return undefined;
  }

  #bottom(data: BandData, { sheet }: BandRange): number {
    const own = this.#layout.placementOf(data);
    return this.#bottoms.get(data)?.get(sheet.index) ?? (own === undefined ? 0 : resultArea(own).bottom);
  }

  #recordBottom(placement: Placement): void {
    const { bottom } = resultArea(placement);
    const { index } = placement.range.sheet;
    // A row without children is not recorded: it ends where its own copy ends.
    const { data: own } = placement;
    for (let data = own.children.size > 0 ? own : own.parent; data?.parent !== undefined; data = data.parent) {
      const bottoms = this.#bottoms.get(data) ?? new Map<number, number>();
      bottoms.set(index, Math.max(bottoms.get(index) ?? 0, bottom));
      this.#bottoms.set(data, bottoms);
    }
  }

  #recordNeighbour(placement: Placement, isFirst: boolean): void {
    const parent = parentOf(placement.data);
    if (placement.data.orientation === 'vertical') {
      this.#shifts.set(parent, placement.offset.columns);
      if (isFirst) this.#vertical.set(parent, [...(this.#vertical.get(parent) ?? []), placement]);
    }
    if (isFirst && this.#positionedParent(placement.data) === undefined) this.#beside.push(placement);
  }
}

const parentOf = (data: BandData): BandData => data.parent ?? data;
