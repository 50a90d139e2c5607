import type { DescribedRequest } from '../../../requests/described-request.ts';
import type { ApiOperation } from '../document/api-document.ts';
import { keyOf } from '../document/match-operation.ts';

/** What the user has entered for an operation. */
export interface EnteredRequest {
  /** By `keyOf`. */
  readonly values: ReadonlyMap<string, string>;
  readonly body: string;
  /** Of the body. */
  readonly contentType: string | undefined;
}

/** The parameters that the request needs and that have no value. */
export const missingParameters = (
  { parameters }: Pick<ApiOperation, 'parameters'>,
  { values }: Pick<EnteredRequest, 'values'>,
): readonly string[] =>
  parameters
    .map(({ name, in: location, required }) => ({ key: keyOf(location, name), required }))
    .filter(({ key, required }) => required === true && (values.get(key) ?? '') === '')
    .map(({ key }) => key);

/** The request of an operation with values. What is left empty is not sent. */
export function requestOfForm(
  { method, path, parameters, body }: Pick<ApiOperation, 'method' | 'path' | 'parameters' | 'body'>,
  { values, body: text, contentType }: EnteredRequest,
): DescribedRequest {
  const given = (location: string): readonly [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name }): [string, string] => [name, values.get(keyOf(location, name)) ?? ''])
      .filter(([, value]) => value !== '');
  const filled = given('path').reduce(
    (template, [name, value]) => template.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  );
  const hasBody = body !== undefined && text !== '';
  const headers = {
    ...Object.fromEntries(given('header').map(([name, value]) => [name.toLowerCase(), value])),
    ...(hasBody && contentType !== undefined && contentType !== 'application/json' && { 'content-type': contentType }),
  };
  return {
    method,
    path: filled,
    query: Object.fromEntries(given('query')),
    ...(hasBody && { body: text }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}
