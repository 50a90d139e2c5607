import type { ReportRow } from '@lintel/application';
import type { DatasetRequest, EntityDatasetRequest } from '@lintel/contracts';
import type { SelectedRow } from '@lintel/documents';

/** Returns the current service token of a run. */
export type RunToken = () => Promise<string>;

/** Reads data sets from the data service; an incomplete one ends with an error. */
export interface DatasetClient {
  /**
   * Reads instances in their JSON form, one by one; numbers are `ExactNumber`. A stream without its end record is an
   * error.
   *
   * @throws ACCESS_READ_DENIED, AUTH_INVALID_TOKEN, DATA_UNAVAILABLE; any other error for an invalid request of the report
   */
  read(request: EntityDatasetRequest, token: RunToken, signal: AbortSignal): AsyncIterable<ReportRow>;
  /** Reads rows of a query, of SQL or of aggregates, in the order of their parents. */
  select(
    request: Exclude<DatasetRequest, EntityDatasetRequest>,
    token: RunToken,
    signal: AbortSignal,
  ): AsyncIterable<SelectedRow>;
}
