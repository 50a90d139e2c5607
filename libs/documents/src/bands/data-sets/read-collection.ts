import type { CollectionDataSet, ReportRow } from '@lintel/application';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import { type Fields, plainOf } from '../cell.ts';
import { cellsOfComputedRow, cellsOfInstance } from '../cells-of-row.ts';
import { fieldOf } from '../field-of.ts';
import type { PlacedRow } from '../merge-rows.ts';

/** Reads the members of a collection of the parent row. */
export function* readCollection(
  { field }: CollectionDataSet,
  { model }: BandContext,
  parents: readonly Fields[],
): Generator<PlacedRow> {
  for (const [at, ancestors] of parents.entries()) {
    const cell = fieldOf(ancestors, field);
    if (cell === undefined) throw new ReportFailure(`There is no field ${field} in the bands above`);
    const members = plainOf(cell);
    if (members === null) continue;
    if (!Array.isArray(members)) throw new ReportFailure(`The field ${field} is no collection`);
    for (const member of members as readonly unknown[]) {
      if (typeof member !== 'object' || member === null) throw new ReportFailure(`The field ${field} has no instances`);
      const row = member as ReportRow;
      const entity = row['_entityName'];
      const fields = typeof entity === 'string' ? cellsOfInstance(model, entity, row) : cellsOfComputedRow(row);
      yield { at, fields };
    }
  }
}
