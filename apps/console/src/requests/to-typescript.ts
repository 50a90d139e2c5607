import type { Paths } from '@lintel/client';
import { isObject } from '@lintel/react';
import { bodyText, type DescribedRequest, pathWithQuery } from './described-request.ts';

/**
 * The request as a call of `@lintel/client`, by its method for this operation where it has one.
 *
 * @param server address of the server, without a path
 */
export function toTypeScript(server: string, paths: Paths | undefined, request: DescribedRequest): string {
  return [
    "import { createClient } from '@lintel/client';",
    '',
    `const client = createClient({ baseUrl: ${literal(server)}, token: async () => process.env['TOKEN'] });`,
    `const result = await client.${callOf(request, paths)};`,
    '',
  ].join('\n');
}

const literal = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'undefined';

function callOf(request: DescribedRequest, paths: Paths | undefined): string {
  const { method, path } = request;
  const entities = segmentsBelow(path, paths?.entities ?? '/rest/entities');
  const queries = segmentsBelow(path, paths?.queries ?? '/rest/queries');
  const services = segmentsBelow(path, paths?.services ?? '/rest/services');
  if (request.headers !== undefined) return connectionCall(request);
  return (
    (entities && entityCall(method, entities, request)) ??
    (queries?.length === 2 && method === 'POST' ? callWith('query', queries, request) : undefined) ??
    (services?.length === 2 && method === 'POST' ? callWith('call', services, request) : undefined) ??
    connectionCall(request)
  );
}

/** The decoded segments of a path below another one. */
function segmentsBelow(path: string, above: string): readonly string[] | undefined {
  if (!path.startsWith(`${above}/`)) return undefined;
  return path
    .slice(above.length + 1)
    .split('/')
    .map(decodeURIComponent);
}

const given = (query: DescribedRequest['query']): Readonly<Record<string, unknown>> =>
  withPlan(Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')));

/** With an inline fetch plan as the literal that the client takes. */
const withPlan = ({ fetchPlan, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  fetchPlan === undefined ? rest : { fetchPlan: planLiteral(fetchPlan), ...rest };

function planLiteral(plan: unknown): unknown {
  const { properties } = plan as { readonly properties?: readonly (string | { name: string; fetchPlan: unknown })[] };
  if (properties === undefined) return plan;
  return Object.fromEntries(
    properties.map((each) => (typeof each === 'string' ? [each, true] : [each.name, planLiteral(each.fetchPlan)])),
  );
}

const argumentsOf = (...values: readonly unknown[]): string => values.map(literal).join(', ');

/** Options in the last argument, if there are any. */
const withOptions = (query: DescribedRequest['query']): readonly unknown[] => {
  const options = given(query);
  return Object.keys(options).length === 0 ? [] : [options];
};

function entityCall(
  method: string,
  segments: readonly string[],
  { query, body }: DescribedRequest,
): string | undefined {
  const [entity, id, ...more] = segments;
  if (more.length > 0) return undefined;
  const options = withOptions(query);
  if (id === 'search')
    return method === 'POST' && isObject(body)
      ? `list(${argumentsOf(entity, withPlan(body as Readonly<Record<string, unknown>>))})`
      : undefined;
  if (id === undefined) {
    if (method === 'GET') return `list(${argumentsOf(entity, ...options)})`;
    return method === 'POST' && isObject(body) ? `create(${argumentsOf(entity, body, ...options)})` : undefined;
  }
  if (method === 'GET') return `load(${argumentsOf(entity, id, ...options)})`;
  if (method === 'PUT' && isObject(body)) return `update(${argumentsOf(entity, id, body, ...options)})`;
  return method === 'DELETE' ? `remove(${argumentsOf(entity, id)})` : undefined;
}

const callWith = (name: string, [first, second]: readonly string[], { query, body }: DescribedRequest): string =>
  `${name}(${argumentsOf(first, second, isObject(body) ? body : {}, ...withOptions(query))})`;

/** A request that the client has no method for. */
function connectionCall(request: DescribedRequest): string {
  const { method, body, headers } = request;
  const parts = [
    `method: ${literal(method)}`,
    `path: ${literal(pathWithQuery(request))}`,
    ...(typeof body === 'string' || headers !== undefined ? [`headers: ${literal(headersOf(request))}`] : []),
    ...(body === undefined
      ? []
      : [typeof body === 'string' ? `body: () => ${literal(body)}` : `json: ${bodyText(request, 2)}`]),
    `repeatable: ${method === 'GET'}`,
  ];
  return `connection.read({ ${parts.join(', ')} })`;
}

/** A body that is a text has no type of its own. */
const headersOf = ({ body, headers }: DescribedRequest): DescribedRequest['headers'] => ({
  ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  ...headers,
});
