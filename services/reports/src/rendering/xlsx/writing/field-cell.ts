import type { BandData } from '../../../bands/band-data.ts';
import type { Cell } from '../../../bands/cell.ts';

/** A field that an alias names, with the band that it belongs to. */
export interface FoundField {
  readonly band: string;
  readonly field: string;
  readonly cell: Cell;
}

/**
 * The field of a row; where it has none of that name, `Band.field` is looked for in the rows above, `Root`
 * included.
 */
export function findField(data: BandData, name: string): FoundField | undefined {
  const own = data.data.get(name);
  if (own !== undefined) return { band: data.name, field: name, cell: own };
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  const [band, field] = [name.slice(0, dot), name.slice(dot + 1)];
  for (let above: BandData | undefined = data; above !== undefined; above = above.parent) {
    const cell = above.name === band ? above.data.get(field) : undefined;
    if (cell !== undefined) return { band, field, cell };
  }
  return undefined;
}
