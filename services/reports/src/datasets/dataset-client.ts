import type { ReportRow } from '@lintel/application';
import type { DatasetColumn, EntityDatasetRequest, QueryDatasetRequest, SqlDatasetRequest } from '@lintel/contracts';

/** Answers the service token that a run uses now. */
export type RunToken = () => Promise<string>;

/** A row of a query or of SQL. */
export interface SelectedRow {
  /** Index of the parent that it is for; 0 where there are none. */
  readonly at: number;
  readonly row: ReportRow;
  /** Undefined where the row is an instance. */
  readonly columns: readonly DatasetColumn[] | undefined;
}

/** Reads data sets from the data service; both ways of it end with an error, never early. */
export interface DatasetClient {
  /**
   * Instances in their JSON form, one by one; numbers are `ExactNumber`. A stream that stops without its end
   * mark is an error.
   *
   * @throws ACCESS_READ_DENIED, AUTH_INVALID_TOKEN, DATA_UNAVAILABLE; any other error for what the report asked
   */
  read(request: EntityDatasetRequest, token: RunToken, signal: AbortSignal): AsyncIterable<ReportRow>;
  /** Rows of a query or of SQL, in the order of their parents. */
  select(
    request: QueryDatasetRequest | SqlDatasetRequest,
    token: RunToken,
    signal: AbortSignal,
  ): AsyncIterable<SelectedRow>;
}
