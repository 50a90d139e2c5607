import type { ReportData } from '@lintel/application';
import type { QueryDatasetRequest, SqlDatasetRequest } from '@lintel/contracts';
import type { SelectedRow } from './dataset-client.ts';

/** What one run reads through: entity data under the caller's rights, numbers as `ExactNumber`. */
export interface ReportDataSource extends ReportData {
  select(request: Omit<QueryDatasetRequest, 'locale'> | Omit<SqlDatasetRequest, 'locale'>): AsyncIterable<SelectedRow>;
  /** The text of a remote document, of a host that is allowed. */
  readDocument(url: string): Promise<string>;
}
