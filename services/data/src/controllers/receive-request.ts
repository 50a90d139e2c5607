import type { ControllerRequest, ServiceContext } from '@lintel/application';
import { readBody } from '@lintel/http';
import type { Request } from 'express';

/** The request in the form for controllers of the application. */
export function receiveRequest(request: Request, context: ServiceContext, maxBodyBytes: number): ControllerRequest {
  const [path = '', ...query] = request.originalUrl.split('?');
  const parameters = Object.entries(request.params).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join('/') : String(value),
  ]);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  return {
    ...context,
    method: request.method,
    path,
    parameters: Object.fromEntries(parameters),
    query: new URLSearchParams(query.join('?')),
    headers,
    body: () => readBody(request, maxBodyBytes),
  };
}
