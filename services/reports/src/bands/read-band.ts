import type { ReportBand, ReportDataSet, ReportParameters, ReportRow } from '@lintel/application';
import { isPlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { ReportDataSource } from '../datasets/report-data-source.ts';
import { ReportFailure } from '../report-failure.ts';
import { abortable } from './abortable.ts';
import type { Fields } from './cell.ts';
import { cellsOfComputedRow, cellsOfInstance } from './cells-of-row.ts';
import { mergeByLink, mergeByPosition } from './merge-rows.ts';

/** What reading the bands of one run takes. */
export interface BandContext {
  readonly model: Model;
  readonly parameters: ReportParameters;
  /** The parameters as fields: of the root band, and of bands without data sets. */
  readonly parameterFields: Fields;
  readonly data: ReportDataSource;
  readonly signal: AbortSignal;
  /** `svc.reports.put-empty-row-if-no-data-selected` */
  readonly putEmptyRow: boolean;
}

/** One row of a band, before its child bands are looked at. */
export interface BandRow {
  readonly fields: Fields;
  /** Stands in for rows that do not exist; has no fields. */
  readonly isPlaceholder: boolean;
}

/**
 * The rows of a band (contract-reports-files-metadata.md §1.9), one by one.
 *
 * @param ancestors fields of the bands above as `<Band>.<field>`
 */
export async function* readBand(band: ReportBand, context: BandContext, ancestors: ReportRow): AsyncGenerator<BandRow> {
  const [first, ...others] = band.dataSets ?? [];
  if (first === undefined) {
    yield { fields: context.parameterFields, isPlaceholder: false };
    return;
  }
  let rows = readDataSet(band, first, context, ancestors);
  for (const set of others) {
    const more = readDataSet(band, set, context, ancestors);
    rows = set.link === undefined ? mergeByPosition(rows, more) : mergeByLink(rows, more, set.link);
  }
  let isEmpty = true;
  for await (const fields of abortable(rows, context.signal)) {
    isEmpty = false;
    yield { fields, isPlaceholder: false };
  }
  if (isEmpty && context.putEmptyRow) yield { fields: new Map(), isPlaceholder: true };
}

async function* readDataSet(
  band: ReportBand,
  set: ReportDataSet,
  context: BandContext,
  ancestors: ReportRow,
): AsyncGenerator<Fields> {
  const { model, parameters, data } = context;
  try {
    switch (set.kind) {
      case 'entities': {
        const filter = set.filter?.(parameters, ancestors);
        const rows = data.load({
          entity: set.entity,
          fetchPlan: set.fetchPlan,
          ...(filter === undefined ? {} : { filter }),
          ...(set.sort === undefined ? {} : { sort: set.sort }),
        });
        for await (const row of rows) yield cellsOfInstance(model, set.entity, row);
        return;
      }
      case 'function':
        for await (const row of await set.rows(parameters, data, ancestors)) yield cellsOfComputedRow(row);
        return;
      default:
        set satisfies never;
    }
  } catch (error) {
    if (isPlatformError(error) || context.signal.aborted) throw error;
    throw new ReportFailure(`An error occurred while loading data for band [${band.name}] and query [${set.name}].`, {
      cause: error,
    });
  }
}
