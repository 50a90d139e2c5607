import type { ReportData, ReportRow } from '@lintel/application';
import type { AggregateDatasetRequest, DatasetColumn, QueryDatasetRequest, SqlDatasetRequest } from '@lintel/contracts';

/** A row of a query, of SQL or of aggregates. */
export interface SelectedRow {
  /** Index of its parent; 0 where there are no parents. */
  readonly at: number;
  readonly row: ReportRow;
  /** Undefined where the row is an instance. */
  readonly columns: readonly DatasetColumn[] | undefined;
}

/** The data source of one run: entity data under the caller's rights, with numbers as `ExactNumber`. */
export interface ReportDataSource extends ReportData {
  select(
    request:
      | Omit<QueryDatasetRequest, 'locale'>
      | Omit<SqlDatasetRequest, 'locale'>
      | Omit<AggregateDatasetRequest, 'locale'>,
  ): AsyncIterable<SelectedRow>;
  /** Reads the text of a remote document, from an allowed host. */
  readDocument(url: string): Promise<string>;
}
