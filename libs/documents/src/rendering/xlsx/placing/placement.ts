import type { BandData } from '../../../bands/band-data.ts';
import type { Area, Offset } from '../cells/area.ts';
import type { BandRange } from '../template/xlsx-template.ts';

/** A row of a band at its position in the result: a copy of the band's range. */
export interface Placement {
  readonly range: BandRange;
  readonly data: BandData;
  /** From the range in the template to this copy. */
  readonly offset: Offset;
}

/** The first and the last copy of a band, of all copies or of those below one row of another band. */
export interface Span {
  readonly first: Placement;
  last: Placement;
  count: number;
}

export const resultArea = ({ range, offset }: Placement): Area => ({
  top: range.area.top + offset.rows,
  bottom: range.area.bottom + offset.rows,
  left: range.area.left + offset.columns,
  right: range.area.right + offset.columns,
});
