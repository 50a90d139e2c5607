import { createRouteFinder, type Route } from '@lintel/http';
import { type ReadRouteOptions, readRoutes } from '../../src/entities/read-entities.routes.ts';
import { type WriteRouteOptions, writeRoutes } from '../../src/entities/write-entities.routes.ts';
import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

const PATH = '/entities';
const ROUTES: readonly Route[] = [
  ...readRoutes({ path: PATH } as ReadRouteOptions),
  ...writeRoutes({ path: PATH } as WriteRouteOptions),
];
const find = createRouteFinder(ROUTES);
const ID = '00000000-0000-4000-8000-000000000001';
const NEW_ID = '00000000-0000-4000-8000-000000000002';
const MAX_BODY = 2_000;

let data: DataFixture;
beforeAll(async () => {
  const all = ['system-full-access'];
  data = await startData(
    shop,
    {
      admin: { resourceRoles: all },
      clerk: { resourceRoles: ['rest-minimal', 'clerk'] },
      outsider: { resourceRoles: [] },
      guest: { username: 'anonymous', kind: 'anonymous', resourceRoles: all },
      stranger: { resourceRoles: all, scope: 'openid' },
      observer: { resourceRoles: all, seenBy: 'admin' },
    },
    {
      'svc.rest.max-body-size': `${MAX_BODY}B`,
      'svc.resource-server.anonymous-url-patterns': '/rest/entities/t_Category/**',
      'svc.security.step-up.places.url-patterns': '/rest/entities/t_Warehouse/**',
      'svc.security.step-up.places.max-age': '5m',
    },
  );
});
afterAll(() => data?.close());

interface Request {
  readonly method: string;
  readonly path: string;
  /** Empty, or with the question mark. */
  readonly query: string;
  readonly user: string | undefined;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Express handles requests with percent-encoding in the path, and no others of these routes. */
const throughExpress = (path: string): string => path.replace('t_', '%74_');

/** Headers that depend on the time and on the connection. */
const OF_CONNECTIONS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Status, body and headers of the response to a request that always finds the same row. */
async function responseTo({ method, path, query, user, body, headers }: Request): Promise<readonly unknown[]> {
  await data.query(`DELETE FROM t.tag; INSERT INTO t.tag (id, version, name) VALUES ('${ID}', 1, 'a tag')`);
  const response = await data.send(user, method, `${path}${query}`, body, headers);
  const { 'x-trace-id': traceId = '', ...others } = Object.fromEntries(
    [...response.headers].filter(([name]) => !OF_CONNECTIONS.has(name)),
  );
  const text = JSON.stringify([response.status, response.text, others]);
  return JSON.parse(text.replaceAll('%74_', 't_').replaceAll(traceId, 'trace id')) as unknown[];
}

/** A request of the route that succeeds. */
function requestOf({ method, path }: Pick<Route, 'method' | 'path'>): Request {
  const isOne = path.includes(':entityId');
  const isSearch = path.includes('/search');
  const tag = { id: method === 'post' ? NEW_ID : ID, name: 'another tag' };
  const body = isSearch ? { filter: { conditions: [] } } : isOne || method === 'post' ? tag : [tag];
  const isBodyless = method === 'get' || (method === 'delete' && isOne) || path.endsWith('/restore');
  const sent = isBodyless ? undefined : method === 'delete' ? [ID] : body;
  return {
    method: method.toUpperCase(),
    path: path.replace(':entityName', 't_Tag').replace(':entityId', ID),
    query: method === 'get' && isSearch ? '?filter={"conditions":[]}' : '',
    user: 'admin',
    body: sent && JSON.stringify(sent),
    headers:
      sent === undefined ? {} : { 'content-type': `application/${method === 'patch' ? 'merge-patch+' : ''}json` },
  };
}

interface Variant {
  /** The status of the response, if all routes have the same. */
  readonly status?: number;
  of(request: Request): Partial<Request>;
}

const withQuery = (parameters: string) => (request: Request) => ({
  query: `${request.query}${request.query === '' ? '?' : '&'}${parameters}`,
});
const withHeader = (name: string, value: string) => (request: Request) => ({
  headers: { ...request.headers, [name]: value },
});
const withPath = (from: string, to: string) => (request: Request) => ({ path: request.path.replace(from, to) });

const VARIANTS: Readonly<Record<string, Variant>> = {
  'that succeeds': { of: () => ({}) },
  'without a token': { status: 401, of: () => ({ user: undefined }) },
  'with an invalid token': { status: 401, of: () => ({ user: 'nobody' }) },
  'of an anonymous caller': { status: 401, of: () => ({ user: 'guest' }) },
  'of an anonymous caller for a public path': {
    of: (one) => ({ ...withPath('t_Tag', 't_Category')(one), user: 'guest' }),
  },
  'with a token of another scope': { status: 403, of: () => ({ user: 'stranger' }) },
  'with a login that is not strong enough': { status: 401, of: withPath('t_Tag', 't_Warehouse') },
  'of a user who may not use the API': { status: 403, of: () => ({ user: 'outsider' }) },
  'of a user without rights to the entity': { status: 403, of: () => ({ user: 'clerk' }) },
  'of a session that only reads': { of: () => ({ user: 'observer' }) },
  'with former names of parameters': { of: withQuery('view=_base&responseView=_base') },
  'with an unknown parameter': { of: withQuery('nonsense=1') },
  'with an unknown parameter that must be known': {
    status: 400,
    of: (one) => ({ ...withQuery('nonsense=1')(one), ...withHeader('prefer', 'handling=strict')(one) }),
  },
  'with parameters given twice': {
    of: withQuery('fetchPlan=_base&fetchPlan=_local&responseFetchPlan=_base&responseFetchPlan=_local'),
  },
  'with invalid values of parameters': { of: withQuery('limit=x&fetchPlan=nothing&responseFetchPlan=nothing') },
  'with a query that cannot be decoded': { of: withQuery('fetchPlan=%zz&%zz=1') },
  'with an unknown version of the model': { of: withQuery('modelVersion=none') },
  'for an unknown entity': { status: 404, of: withPath('t_Tag', 't_Nothing') },
  'for an unknown instance': { of: withPath(ID, NEW_ID) },
  'for an invalid id': { of: withPath(ID, 'x') },
  'that accepts no JSON': { of: withHeader('accept', 'text/html') },
  'that accepts problem details': {
    status: 404,
    of: (one) => ({ ...withPath('t_Tag', 't_Nothing')(one), ...withHeader('accept', 'application/problem+json')(one) }),
  },
  'with a condition on the version': { of: withHeader('if-match', '"7"') },
  'with a condition on the content': { of: withHeader('if-none-match', '*') },
  'with an invalid idempotency key': { of: withHeader('idempotency-key', '') },
  'for a minimal response': { of: withHeader('prefer', 'return=minimal') },
};

/** Variants of requests with a body. */
const BODY_VARIANTS: typeof VARIANTS = {
  'with a body of another type': { of: withHeader('content-type', 'text/plain') },
  'with a compressed body': { status: 415, of: withHeader('content-encoding', 'gzip') },
  'with a body that is too large': { status: 413, of: () => ({ body: JSON.stringify('x'.repeat(MAX_BODY)) }) },
  'with a body that is not JSON': { status: 400, of: () => ({ body: '{' }) },
  'with an empty body': { status: 400, of: () => ({ body: '' }) },
  'with an unknown member': { of: () => ({ body: JSON.stringify({ nonsense: 1, filter: {} }) }) },
};

const NAMED = ROUTES.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

// Asserts contract/roles.md#rest-enabled.
test.each(NAMED)(
  '%s has the same responses with and without Express',
  async (_name, route) => {
    const request = requestOf(route);
    expect(find(request.method, request.path)?.route).toBe(route);
    expect(find(request.method, throughExpress(request.path))).toBeUndefined();
    for (const [what, { status, of }] of Object.entries({ ...VARIANTS, ...(request.body && BODY_VARIANTS) })) {
      const variant = { ...request, ...of(request) };
      const direct = await responseTo(variant);
      const express = await responseTo({ ...variant, path: throughExpress(variant.path) });
      expect([what, ...express]).toEqual([what, ...direct]);
      expect([what, direct[0]]).toEqual([what, status ?? direct[0]]);
    }
  },
  60_000,
);

test.each(NAMED.filter(([, { method }]) => method === 'get'))(
  'HEAD has status and headers of %s',
  async (_name, route) => {
    const request = requestOf(route);
    for (const [what, { of }] of Object.entries(VARIANTS)) {
      const variant = { ...request, ...of(request) };
      const [status, , headers] = await responseTo(variant);
      expect([what, ...(await responseTo({ ...variant, method: 'HEAD' }))]).toEqual([what, status, '', headers]);
    }
  },
  60_000,
);

test.each([...new Set(ROUTES.map(({ path }) => path))])(
  '%s refuses the methods that it does not have, and names the others',
  async (path) => {
    const request = requestOf({ method: 'get', path });
    const served = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].filter((method) => find(method, request.path));
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
    for (const method of ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !served.includes(one)))
      for (const sent of [request, { ...request, path: throughExpress(request.path) }]) {
        const [status, , headers] = await responseTo({ ...sent, method });
        const expected = method === 'OPTIONS' ? 200 : 405;
        expect([method, status, headers]).toEqual([method, expected, expect.objectContaining({ allow })]);
        expect((await responseTo({ ...sent, method, user: undefined }))[0]).toBe(401);
        expect((await responseTo({ ...sent, method, user: 'outsider' }))[0]).toBe(403);
      }
  },
  60_000,
);
