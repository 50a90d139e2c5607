import { bodyText, type DescribedRequest, pathWithQuery } from './described-request.ts';

/** The fragment with which the explorer opens the operation of a request and fills in its values. */
export function explorerFragment(request: DescribedRequest): string {
  const body = bodyText(request, 2);
  const { method } = request;
  return `#${new URLSearchParams({ method, target: pathWithQuery(request), ...(body !== undefined && { body }) })}`;
}
