import type { ReportData } from '@lintel/application';
import type { QueryDatasetRequest, SqlDatasetRequest } from '@lintel/contracts';
import type { SelectedRow } from './dataset-client.ts';

/** The data source of one run: entity data under the caller's rights, with numbers as `ExactNumber`. */
export interface ReportDataSource extends ReportData {
  select(request: Omit<QueryDatasetRequest, 'locale'> | Omit<SqlDatasetRequest, 'locale'>): AsyncIterable<SelectedRow>;
  /** Reads the text of a remote document, from an allowed host. */
  readDocument(url: string): Promise<string>;
}
