import type { Paths } from '@lintel/client';
import type { DescribedRequest } from '../../requests/described-request.ts';
import type { MethodInfo, QueryInfo } from './call-info.ts';
import { type Entered, sentValues } from './fields/value-type.ts';

/** Rows of a page of a query. */
export const PAGE_SIZE = 50;

/** The request that calls a method. By GET, the parameters are in the address. */
export function methodRequest(
  { services }: Pick<Paths, 'services'>,
  { service, name, method, params }: Pick<MethodInfo, 'service' | 'name' | 'method' | 'params'>,
  entered: Entered,
): DescribedRequest {
  const path = `${services}/${encodeURIComponent(service)}/${encodeURIComponent(name)}`;
  const parameters = sentValues(params, entered);
  return method === 'GET' ? { method, path, query: parameters } : { method, path, body: parameters };
}

/** The request for a page of a query. */
export const queryRequest = (
  { queries }: Pick<Paths, 'queries'>,
  { entityName, name }: Pick<QueryInfo, 'entityName' | 'name'>,
  parameters: Readonly<Record<string, unknown>>,
  offset: number,
): DescribedRequest => ({
  method: 'POST',
  path: `${queries}/${encodeURIComponent(entityName)}/${encodeURIComponent(name)}`,
  query: { limit: PAGE_SIZE, ...(offset > 0 && { offset }) },
  body: parameters,
});

/** The begin of the page that an address names; of the first page where it names none. */
export const offsetOf = (skipped: unknown): number =>
  Math.max(0, Math.floor((Number(skipped) || 0) / PAGE_SIZE)) * PAGE_SIZE;
