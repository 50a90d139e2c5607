import type { BandData } from '../../../bands/band-data.ts';
import { type Area, around, intersection, isInside, moved } from '../cells/area.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { Layout } from './layout.ts';
import type { Placement, Span } from './placement.ts';

/** The cells of the result that correspond to cells of the template. */
export type MappedArea =
  /** They belong to no band, or their band has no rows: they keep their position. */
  | { readonly kind: 'kept' }
  /** Their band has rows, but none below the row of the formula. */
  | { readonly kind: 'empty' }
  /**
   * `first` and `last` are the cells in the first and the last copy; they differ where there are several. `touched` are
   * the cells of the template that belong to bands with rows.
   */
  | { readonly kind: 'moved'; readonly first: Area; readonly last: Area; readonly all: Area; readonly touched: Area };

/**
 * Maps cells of the template to the result, for a formula of a copy: to the copy itself when they belong to its own
 * band, else to the copies of their band below the common ancestor row.
 *
 * @param from the copy with the formula; undefined for a formula outside of all bands, such as that of a chart
 */
export function mapArea(layout: Layout, sheet: SheetTemplate, area: Area, from: Placement | undefined): MappedArea {
  if (from !== undefined && from.range.sheet === sheet && isInside(area, from.range.area)) return movedBy(area, from);
  const ranges = [...layout.template.ranges.values()].filter((range) => range.sheet === sheet);
  // A range may be within another one: the narrower one is used.
  const [narrowest] = ranges
    .filter((range) => isInside(area, range.area))
    .toSorted((one, other) => sizeOf(one.area) - sizeOf(other.area));
  if (narrowest !== undefined) {
    if (layout.spanOf(layout.root, narrowest.band) === undefined) return { kind: 'kept' };
    const span = spanFor(layout, narrowest.band, from?.data);
    return span === undefined ? { kind: 'empty' } : grown(area, span);
  }
  const pieces = ranges.flatMap((range) => {
    const piece = intersection(area, range.area);
    const span = piece && spanFor(layout, range.band, from?.data);
    return piece === undefined || span === undefined ? [] : [grown(piece, span)];
  });
  const [first, ...others] = pieces;
  if (first === undefined) return { kind: 'kept' };
  const all = around(first.all, ...others.map((one) => one.all));
  const touched = around(first.touched, ...others.map((one) => one.touched));
  return { kind: 'moved', first: all, last: all, all, touched };
}

const movedBy = (area: Area, { offset }: Placement): MappedArea & { readonly kind: 'moved' } => {
  const result = moved(area, offset);
  return { kind: 'moved', first: result, last: result, all: result, touched: area };
};

function grown(area: Area, span: Span): MappedArea & { readonly kind: 'moved' } {
  const first = moved(area, span.first.offset);
  const last = moved(area, span.last.offset);
  return { kind: 'moved', first, last, all: around(first, last), touched: area };
}

/** Returns the copies of a band for a row of another one: below the row itself, or below the common ancestor row. */
function spanFor(layout: Layout, band: string, from: BandData | undefined): Span | undefined {
  const everywhere = layout.spanOf(layout.root, band);
  if (everywhere === undefined || from === undefined) return everywhere;
  const above = new Set<string>();
  for (let data = everywhere.first.data.parent; data !== undefined; data = data.parent) above.add(data.name);
  for (let data: BandData | undefined = from; data !== undefined; data = data.parent) {
    if (above.has(data.name)) return layout.spanOf(data, band);
    if (data.name !== band) continue;
    const own = layout.placementOf(data);
    return own === undefined ? undefined : { first: own, last: own, count: 1 };
  }
  return everywhere;
}

const sizeOf = ({ top, bottom, left, right }: Area): number => (bottom - top + 1) * (right - left + 1);
