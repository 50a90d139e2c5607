import type { ReportBand } from '@lintel/application';
import { abortable } from './abortable.ts';
import type { BandContext } from './band-context.ts';
import { type BandData, rootBand } from './band-data.ts';
import type { Fields } from './cell.ts';
import { readDataSet } from './data-sets/read-data-set.ts';
import { mergeByLink, mergeByPosition, type PlacedRow } from './merge-rows.ts';

/** One row of a band, before its child bands are looked at. */
export interface BandRow {
  /** Index of the parent row that it belongs to. */
  readonly at: number;
  readonly fields: Fields;
  /** Stands in for rows that do not exist; has no fields. */
  readonly isPlaceholder: boolean;
}

type Sets = Pick<ReportBand, 'name' | 'dataSets'>;

/**
 * The rows of a band for each parent row (contract-reports-files-metadata.md §1.9), one by one, in the order
 * of the parents. Its data sets are asked once for all parents where they can be.
 *
 * @param parents for each parent row the fields of the bands above, as `<Band>.<field>`
 */
export async function* readBand(band: Sets, context: BandContext, parents: readonly Fields[]): AsyncGenerator<BandRow> {
  const [first, ...others] = band.dataSets ?? [];
  if (first === undefined) {
    for (const at of parents.keys()) yield { at, fields: context.parameterFields, isPlaceholder: false };
    return;
  }
  let rows: AsyncGenerator<PlacedRow> = readDataSet(band.name, first, context, parents);
  for (const set of others) {
    const more = readDataSet(band.name, set, context, parents);
    rows = set.link === undefined ? mergeByPosition(rows, more) : mergeByLink(rows, more, set.link);
  }
  let next = 0;
  for await (const { at, fields } of abortable(rows, context.signal)) {
    if (context.putEmptyRow) for (; next < at; next += 1) yield placeholder(next);
    next = at + 1;
    context.countRow?.();
    yield { at, fields, isPlaceholder: false };
  }
  if (context.putEmptyRow) for (; next < parents.length; next += 1) yield placeholder(next);
}

/** Stands for the rows that a parent row does not have. */
export const placeholder = (at: number): BandRow => ({ at, fields: new Map(), isPlaceholder: true });

/** The root of a report: all parameters by alias, and the first row of the root's own data sets. */
export async function readRoot(dataSets: Sets['dataSets'], context: BandContext): Promise<BandData> {
  const root = rootBand(context.parameterFields);
  if (dataSets === undefined || dataSets.length === 0) return root;
  const sets = { name: root.name, dataSets };
  for await (const row of readBand(sets, context, [new Map()])) return rootBand(new Map([...root.data, ...row.fields]));
  return root;
}
