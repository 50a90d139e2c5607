import { type Area, intersection, isInside, moved, type Offset } from '../cells/area.ts';
import type { BandRange, SheetTemplate, XlsxTemplate } from '../template/xlsx-template.ts';
import type { Layout } from './layout.ts';
import type { Placement } from './placement.ts';

/**
 * Returns the areas in the result of cells of the template: one for each copy of their band. Cells of no band keep
 * their position. Adjacent areas are joined.
 */
export function copiesOf(layout: Layout, sheet: SheetTemplate, area: Area): readonly Area[] {
  const ranges = [...layout.template.ranges.values()].filter((range) => range.sheet === sheet);
  const pieces = ranges.flatMap((range) => {
    const piece = intersection(area, range.area);
    return piece === undefined ? [] : [{ range, piece }];
  });
  if (pieces.length === 0) return [area];
  return joined(pieces.flatMap(({ range, piece }) => copies(layout, range, piece)));
}

function copies(layout: Layout, range: BandRange, piece: Area): readonly Area[] {
  const { streamed } = layout;
  if (streamed?.first.range !== range) return layout.placementsOf(range.band).map(({ offset }) => moved(piece, offset));
  // Rows of a streamed band have a height of one and follow each other.
  const { top, left, right } = moved(piece, streamed.first.offset);
  return [{ top, left, right, bottom: moved(piece, streamed.last.offset).bottom }];
}

/** Yields the distance of each copy of a band from its range. */
export function* offsetsOf(layout: Layout, range: BandRange): Generator<Offset> {
  const { streamed } = layout;
  if (streamed?.first.range !== range) for (const { offset } of layout.placementsOf(range.band)) yield offset;
  else
    for (let index = 0; index < streamed.count; index += 1)
      yield { rows: streamed.first.offset.rows + index, columns: streamed.first.offset.columns };
}

/** The band whose range has the first cell of an area. */
export const rangeAt = (
  { ranges }: Pick<XlsxTemplate, 'ranges'>,
  sheet: SheetTemplate,
  { top, left }: Area,
): BandRange | undefined =>
  [...ranges.values()].find(
    (range) => range.sheet === sheet && isInside({ top, left, bottom: top, right: left }, range.area),
  );

/** The first copy of the band of the cells. */
export function firstCopy(layout: Layout, sheet: SheetTemplate, area: Area): Placement | undefined {
  for (const range of layout.template.ranges.values())
    if (range.sheet === sheet && intersection(area, range.area) !== undefined) {
      const span = layout.spanOf(layout.root, range.band);
      if (span !== undefined) return span.first;
    }
  return undefined;
}

/** Joins vertically adjacent areas, then horizontally adjacent ones. */
function joined(areas: readonly Area[]): readonly Area[] {
  const columns = areas.toSorted(
    (one, other) => one.left - other.left || one.right - other.right || one.top - other.top,
  );
  const joinedColumns = join(columns, (one, next) =>
    one.left === next.left && one.right === next.right && next.top <= one.bottom + 1
      ? { ...one, bottom: Math.max(one.bottom, next.bottom) }
      : undefined,
  );
  const rows = joinedColumns.toSorted(
    (one, other) => one.top - other.top || one.bottom - other.bottom || one.left - other.left,
  );
  return join(rows, (one, next) =>
    one.top === next.top && one.bottom === next.bottom && next.left <= one.right + 1
      ? { ...one, right: Math.max(one.right, next.right) }
      : undefined,
  );
}

function join(areas: readonly Area[], both: (one: Area, next: Area) => Area | undefined): readonly Area[] {
  const result: Area[] = [];
  for (const next of areas) {
    const last = result.at(-1);
    const union = last === undefined ? undefined : both(last, next);
    if (union === undefined) result.push(next);
    else result[result.length - 1] = union;
  }
  return result;
}
