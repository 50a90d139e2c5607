import type { DescribedRequest } from '../../requests/described-request.ts';
import type { MethodInfo } from './call-info.ts';
import { type Entered, sentValues } from './fields/value-type.ts';

/** The request that calls a method. By GET, the parameters are in the address. */
export function methodRequest(
  services: string,
  { service, name, method, params }: Pick<MethodInfo, 'service' | 'name' | 'method' | 'params'>,
  entered: Entered,
): DescribedRequest {
  const path = `${services}/${encodeURIComponent(service)}/${encodeURIComponent(name)}`;
  const parameters = sentValues(params, entered);
  return method === 'GET' ? { method, path, query: parameters } : { method, path, body: parameters };
}
