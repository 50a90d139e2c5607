import type { BandData } from '../../../bands/band-data.ts';
import type { Cell } from '../../../bands/cell.ts';
import { fieldOf } from '../../../bands/field-of.ts';

/** The field of an alias, with its band. */
export interface FoundField {
  readonly band: string;
  readonly field: string;
  readonly cell: Cell;
}

/**
 * Finds a field of a row; where the row does not have it, `Band.field` is looked up in its ancestors, including `Root`.
 */
export function findField(data: BandData, name: string): FoundField | undefined {
  const own = fieldOf(data.data, name);
  if (own !== undefined) return { band: data.name, field: name, cell: own };
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  const [band, field] = [name.slice(0, dot), name.slice(dot + 1)];
  for (let above: BandData | undefined = data; above !== undefined; above = above.parent) {
    const cell = above.name === band ? fieldOf(above.data, field) : undefined;
    if (cell !== undefined) return { band, field, cell };
  }
  return undefined;
}
