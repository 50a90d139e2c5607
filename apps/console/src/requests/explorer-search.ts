import { bodyText, type DescribedRequest, pathWithQuery } from './described-request.ts';

/** The parameters of the page of the explorer that has a request as its example. */
export interface ExplorerSearch {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly body?: string | undefined;
}

/** The parameters for a request. */
export const explorerSearch = (request: DescribedRequest): ExplorerSearch => ({
  method: request.method,
  target: pathWithQuery(request),
  body: bodyText(request, 2),
});
