import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../test/data-fixture.ts';
import { shop } from '../test/shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    shop,
    {
      admin: { resourceRoles: ['system-full-access'], attributes: { username: 'admin', country: null } },
      clerk: { resourceRoles: ['clerk'], rowLevelRoles: ['own-country'] },
      nobody: { resourceRoles: [] },
      anonymous: { resourceRoles: [], kind: 'anonymous' },
    },
    {
      'svc.rest.anonymous-url-patterns': '/rest/docs/**',
      'svc.core.available-locales': 'en,de',
    },
  );
});
afterAll(() => data.close());

// Asserts contract/errors.md#catalogue.
test('the token is checked first, also for unknown paths', async () => {
  for (const path of ['/userInfo', '/nowhere', '/entities/t_Customer']) {
    const response = await data.send(undefined, 'GET', path);
    expect([response.status, response.json().error]).toEqual([401, 'unauthorized']);
  }
  expect((await data.send('stranger', 'GET', '/userInfo')).json().error).toBe('invalid_token');
});

test('userInfo has name, locale and attributes, nulls included', async () => {
  const response = await data.send('admin', 'GET', '/userInfo', undefined, { 'accept-language': 'de-AT' });
  expect(response.json()).toEqual({
    username: 'admin',
    locale: 'de',
    attributes: { username: 'admin', country: null },
  });
});

test.each(['/userInfo', '/permissions'])('%s must not be stored by caches', async (path) => {
  const response = await data.send('admin', 'GET', path);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
});

test('permissions contain granted and denied rights', async () => {
  const { authorities, entities, specifics } = (await data.send('clerk', 'GET', '/permissions?x=1')).json();
  expect(authorities).toEqual(['clerk', 'row_level_role:own-country']);
  expect(entities).toContainEqual({ target: 't_Order:create', value: 1 });
  expect(entities).toContainEqual({ target: 't_Order:delete', value: 0 });
  expect(specifics).toContainEqual({ target: 'rest.enabled', value: 1 });
});

// Asserts contract/decisions.md#39, contract/roles.md#rest-enabled, contract/tokens.md#anonymous.
test('docs, capabilities and version need no rest.enabled, all other paths do', async () => {
  for (const path of ['/docs/openapi.json', '/capabilities', '/version'])
    expect((await data.send('nobody', 'GET', path)).status).toBe(200);
  for (const path of ['/userInfo', '/permissions', '/entities/t_No', '/nowhere'])
    expect((await data.send('nobody', 'GET', path)).status).toBe(403);
  expect((await data.send('anonymous', 'GET', '/docs/openapi.json')).status).toBe(200);
  expect((await data.send('anonymous', 'GET', '/capabilities')).status).toBe(401);
});

test('the documents are OpenAPI 3.1, as JSON and as YAML', async () => {
  const json = await data.send('admin', 'GET', '/docs/openapi.json');
  expect([json.headers.get('content-type'), json.json().openapi]).toEqual(['application/json', '3.1.0']);
  const yaml = await data.send('admin', 'GET', '/docs/openapi.yaml', undefined, { accept: 'application/yaml' });
  expect(yaml.headers.get('content-type')).toBe('application/yaml');
  expect(yaml.text).toMatch(/^---\nopenapi: 3\.1\.0/);
});

test('version is text for every Accept, capabilities are JSON', async () => {
  const version = await data.send('nobody', 'GET', '/version', undefined, { accept: 'application/json' });
  expect([version.status, version.text]).toEqual([200, '7.2.0']);
  expect((await data.send('nobody', 'GET', '/capabilities')).json()).toEqual({ inlineFetchPlans: true });
});

test('unknown paths, wrong methods and unacceptable types have the error form of the API', async () => {
  const unknown = await data.send('admin', 'GET', '/nowhere');
  expect([unknown.status, unknown.json().error]).toEqual([404, 'Not found']);
  const method = await data.send('admin', 'POST', '/entities/t_Customer/1', {});
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT']);
  const type = await data.send('admin', 'GET', '/entities/t_Customer', undefined, { accept: 'text/html' });
  expect([type.status, type.json().error]).toEqual([406, 'Not acceptable']);
});

test('a trailing slash of a path is ignored', async () => {
  expect((await data.send('admin', 'GET', '/userInfo/')).status).toBe(200);
  expect((await data.send('admin', 'POST', '/entities/t_Category/', { code: 'SLASH' })).status).toBe(201);
});

/** What a response and its access log line have, without the values that differ from request to request. */
async function seen(...request: Parameters<DataFixture['send']>) {
  const { status, headers, text } = await data.send(...request);
  const traceId = headers.get('x-trace-id');
  const { method, route, session } = await eventually(() => {
    const line = data.infos.find((one) => 'traceId' in one && one.traceId === traceId);
    if (line === undefined) throw new Error('The line is not written yet');
    return line as Readonly<Record<string, unknown>>;
  });
  const shown = [...headers].filter(([name]) => name !== 'x-trace-id' && name !== 'date');
  return { status, headers: shown, text, line: { method, route, session } };
}

const ID = '00000000-0000-4000-8000-000000000001';
const MISSING = '00000000-0000-4000-8000-000000000002';
const MERGE = { 'content-type': 'application/merge-patch+json' };

// A path with a slash at its end is found by Express, one without by the route finder.
test.each<[user: string | undefined, method: string, path: string, ...rest: [unknown?, Record<string, string>?]]>([
  ['admin', 'GET', `/entities/t_Category/${ID}`],
  ['admin', 'GET', `/entities/t_Category/${ID}`, undefined, { 'if-none-match': '*' }],
  ['admin', 'GET', `/entities/t_Category/${MISSING}`],
  ['admin', 'GET', `/entities/t_Category/${ID}`, undefined, { accept: 'text/html' }],
  ['admin', 'GET', `/entities/t_Category/${ID}`, undefined, { accept: 'text/html, application/*;q=0.5' }],
  ['admin', 'GET', '/entities/t_No'],
  ['admin', 'GET', '/entities/t_Category'],
  ['admin', 'GET', '/entities/t_Category/search'],
  ['admin', 'POST', '/entities/t_Category/search', { filter: { conditions: [] }, returnCount: true }],
  ['admin', 'GET', '/entities/t_Category/search/count'],
  ['admin', 'POST', '/entities/t_Category/search/count', '{"filter":'],
  ['admin', 'HEAD', `/entities/t_Category/${ID}`],
  ['admin', 'OPTIONS', `/entities/t_Category/${ID}`],
  ['admin', 'POST', `/entities/t_Category/${ID}`, {}],
  ['admin', 'POST', '/entities/t_Category', { code: 'BOTH' }],
  ['admin', 'PUT', `/entities/t_Category/${MISSING}`, { code: 'OTHER' }],
  ['admin', 'PATCH', `/entities/t_Category/${ID}`, {}],
  ['admin', 'PATCH', `/entities/t_Category/${MISSING}`, {}, MERGE],
  ['admin', 'PATCH', '/entities/t_Category', [], MERGE],
  ['admin', 'DELETE', `/entities/t_Category/${MISSING}`],
  ['admin', 'DELETE', '/entities/t_Category', []],
  [undefined, 'GET', `/entities/t_Category/${ID}`],
  ['stranger', 'GET', `/entities/t_Category/${ID}`],
  ['anonymous', 'GET', `/entities/t_Category/${ID}`],
  ['nobody', 'GET', `/entities/t_Category/${ID}`],
  ['clerk', 'DELETE', '/entities/t_Order/1'],
])('%s %s %s has the same response and log line by either way', async (...request) => {
  const [user, method, path, body, headers] = request;
  await data.query(`INSERT INTO t.category (id, version, code) VALUES ('${ID}', 1, 'BOTH') ON CONFLICT DO NOTHING`);
  expect(await seen(user, method, path, body, headers)).toEqual(await seen(user, method, `${path}/`, body, headers));
});

test.each(['?view=_local&nothing=1', '?limit=1&limit=2', '?fetchPlan=t-no'])(
  'the query %s is read in the same way',
  async (query) => {
    for (const prefer of ['handling=strict', 'handling=lenient, count=exact'])
      expect(await seen('admin', 'GET', `/entities/t_Category${query}`, undefined, { prefer })).toEqual(
        await seen('admin', 'GET', `/entities/t_Category/${query}`, undefined, { prefer }),
      );
  },
);
