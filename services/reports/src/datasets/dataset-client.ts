import type { ReportRow } from '@lintel/application';
import type { DatasetRequest } from '@lintel/contracts';

/** Answers the service token that a run uses now. */
export type RunToken = () => Promise<string>;

/** Reads instances from the data service. */
export interface DatasetClient {
  /**
   * Instances in their JSON form, one by one; numbers are `ExactNumber`. Ends with an error, never early:
   * a stream that stops without its end mark is one.
   *
   * @throws ACCESS_READ_DENIED, AUTH_INVALID_TOKEN, DATA_UNAVAILABLE; any other error for what the report asked
   */
  read(request: DatasetRequest, token: RunToken, signal: AbortSignal): AsyncIterable<ReportRow>;
}
