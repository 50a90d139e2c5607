import { as, type Response, send } from '../api.ts';
import { officialProblems, redoclyProblems, spectralProblems } from './document-problems.ts';
import type { OpenApi, Operation } from './read-document.ts';

const DETAILED = '/docs/openapiDetailed.json';
const ENTITY = /^\/rest\/entities\/(\w+)(\/\{entityId\}|\/search|\/search\/count)?$/;
const USERS = ['admin', 'manager', 'clerk', 'auditor', 'viewer', 'nobody'] as const;

interface Permissions {
  readonly entities: readonly { readonly target: string; readonly value: number }[];
  readonly entityAttributes: readonly { readonly target: string; readonly value: number }[];
}

const documentFor = async (user: string, path = DETAILED): Promise<OpenApi> => {
  const response = await as(user, 'GET', `${path}?for=me`);
  expect(response.status).toBe(200);
  return response.json();
};
const documents = new Map<string, OpenApi>(
  await Promise.all(USERS.map(async (user) => [user, await documentFor(user)] as const)),
);
const documentOf = (user: string): OpenApi => {
  const document = documents.get(user);
  if (document === undefined) throw new Error(`There is no document of ${user}`);
  return document;
};
const whole: OpenApi = (await as('admin', 'GET', DETAILED)).json();
const granted = (list: Permissions['entities'], minimum = 1): ReadonlySet<string> =>
  new Set(list.filter(({ value }) => value >= minimum).map(({ target }) => target));
const permissionsOf = async (user: string): Promise<Permissions> => (await as(user, 'GET', '/permissions')).json();
const operationsOf = (document: OpenApi): readonly (readonly [string, string, Operation])[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
  );

describe('documents for the caller (contract/api-documents.md#for-me)', () => {
  test('they pass the rules of the validators', async () => {
    expect(await officialProblems(documentOf('nobody'))).toEqual([]);
    expect(await officialProblems(documentOf('clerk'))).toEqual([]);
    expect(await redoclyProblems(documentOf('clerk'))).toEqual([]);
    expect(await spectralProblems(documentOf('clerk'))).toEqual([]);
  });

  test('that of the administrator has every operation and every attribute', () => {
    const admin = documentOf('admin');
    expect(Object.keys(admin.paths)).toEqual(Object.keys(whole.paths));
    expect(Object.keys(admin.components.schemas)).toEqual(Object.keys(whole.components.schemas));
    for (const [name, schema] of Object.entries(whole.components.schemas))
      expect([name, Object.keys(admin.components.schemas[name].properties ?? {})]).toEqual([
        name,
        Object.keys(schema.properties ?? {}),
      ]);
  });

  // Asserts contract/api-documents.md#for-me.
  test.each(['manager', 'clerk', 'auditor'])(
    'the operations of entities that %s has are those with rights',
    async (user) => {
      const rights = granted((await permissionsOf(user)).entities);
      const has = (entity: string, ...actions: readonly string[]): boolean =>
        actions.every((action) => rights.has(`${entity}:${action}`));
      const expected = operationsOf(whole).flatMap(([path, method]) => {
        const [, entity = '', end = ''] = ENTITY.exec(path) ?? [];
        if (entity === '') return [];
        const isAllowed =
          method === 'get' || end.startsWith('/search')
            ? has(entity, 'read')
            : method === 'post'
              ? has(entity, 'create')
              : has(entity, 'read', method === 'delete' ? 'delete' : 'update');
        return isAllowed ? [`${method} ${path}`] : [];
      });
      const shown = operationsOf(documentOf(user)).flatMap(([path, method]) =>
        ENTITY.test(path) ? [`${method} ${path}`] : [],
      );
      expect(shown).toEqual(expected);
    },
  );

  // Asserts contract/api-documents.md#for-me.
  test.each(['manager', 'clerk', 'auditor'])(
    'the attributes that %s finds are those that may be viewed, read-only unless they may be modified',
    async (user) => {
      const { entityAttributes } = await permissionsOf(user);
      const [known, viewed, modified] = [0, 1, 2].map((minimum) => granted(entityAttributes, minimum));
      for (const [name, { properties = {} }] of Object.entries(documentOf(user).components.schemas)) {
        const entity = name.replace(/^entity_/, '');
        // A key is always there, under its own name, too; its parts are, where it is composite.
        const key = JSON.stringify(whole.components.schemas[name].properties?.id);
        for (const [attribute, schema] of Object.entries<Record<string, unknown>>(properties)) {
          const target = `${entity}:${attribute}`;
          const isKey = attribute === 'id' || JSON.stringify(schema) === key || entity.endsWith('Key');
          if (isKey || known?.has(target) !== true) continue;
          expect([target, viewed?.has(target)]).toEqual([target, true]);
          if (modified?.has(target) !== true) expect([target, schema['readOnly']]).toEqual([target, true]);
        }
      }
    },
  );

  // Asserts contract/api-documents.md#for-me.
  test.each(['manager', 'clerk', 'auditor'])(
    'the queries of %s are those that do not respond with 403',
    async (user) => {
      const paths = Object.keys(whole.paths).filter((path) => /^\/rest\/queries\/\w+\/\w+$/.test(path));
      expect(paths.length).toBeGreaterThan(2);
      const shown = new Set(Object.keys(documentOf(user).paths));
      for (const path of paths) {
        // Without parameters: refused after the rights are checked, unless the query has none.
        const { status } = await as(user, 'POST', path.replace('/rest', ''), { body: sampleOf(path) });
        expect([path, shown.has(path)]).toEqual([path, status !== 403]);
      }
    },
  );

  // Asserts contract/api-documents.md#for-me.
  test('without the right to use the API only what needs none is there', () => {
    const paths = Object.keys(documentOf('nobody').paths).filter((path) => !path.startsWith('/oauth'));
    expect(paths.filter((path) => !/^\/(\.well-known|rest\/(docs|version|capabilities))/.test(path))).toEqual(
      expect.not.arrayContaining(['/rest/entities/{entityName}', '/rest/userInfo', '/rest/files']),
    );
    expect(JSON.stringify(documentOf('nobody'))).not.toMatch(/entity_|sales_/);
  });

  // Asserts contract/api-documents.md#for-me.
  test('files and reports are there for those with the rights', () => {
    const [clerk, admin] = [documentOf('viewer'), documentOf('admin')];
    expect(Object.keys(admin.paths)).toEqual(expect.arrayContaining(['/rest/files', '/rest/reports/report']));
    expect(Object.keys(clerk.paths)).not.toContain('/rest/reports/report');
  });

  // Asserts contract/api-documents.md#for-me.
  test('an anonymous caller gets what anonymous patterns open, with the rights of the role', async () => {
    const response = await send('GET', `/rest${DETAILED}?for=me`);
    expect(response.status).toBe(200);
    // It is the same without the parameter.
    expect((await send('GET', `/rest${DETAILED}`)).text).toBe(response.text);
    const document: OpenApi = response.json();
    expect(await officialProblems(document)).toEqual([]);
    const guarded = operationsOf(document).filter(([path]) => path.startsWith('/rest'));
    for (const [path, method] of guarded.filter(([path]) => !path.includes('{'))) {
      if (method !== 'get') continue;
      expect([path, (await send('GET', path)).status]).not.toEqual([path, 401]);
    }
    expect(response.text).not.toMatch(/sec_User|report_Report/);
  });

  // Asserts contract/api-documents.md#for-me.
  test('tags differ by the rights of callers, and equal rights share a document', async () => {
    const read = (user: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      as(user, 'GET', `${DETAILED}?for=me`, { headers: { 'accept-language': 'en', ...headers } });
    const [clerk, viewer] = await Promise.all([read('clerk'), read('viewer')]);
    const tag = clerk.headers.get('etag') ?? '';
    expect(tag).not.toBe(viewer.headers.get('etag'));
    expect(clerk.headers.get('vary')).toContain('Authorization');
    expect(clerk.headers.get('cache-control')).toContain('private');
    expect((await read('clerk', { 'if-none-match': tag })).status).toBe(304);
    expect((await read('viewer', { 'if-none-match': tag })).status).toBe(200);
  });

  test('captions, the version of OpenAPI and YAML can be chosen for them, too', async () => {
    const german: OpenApi = (
      await as('clerk', 'GET', `${DETAILED}?for=me&openapi=3.0`, { headers: { 'accept-language': 'de' } })
    ).json();
    expect(german.openapi).toBe('3.0.3');
    expect(await officialProblems(german)).toEqual([]);
    expect(german.components.schemas['entity_sales_Order'].properties.customer.title).toBe('Kunde');
    const yaml = await as('clerk', 'GET', `${DETAILED.replace('json', 'yaml')}?for=me`);
    expect(yaml.text).toMatch(/^---\nopenapi: 3\.1\.0\n/);
  });

  // Asserts contract/api-documents.md#for-me.
  test('no examples are of the demo data, which row-level policies may hide', () => {
    const text = JSON.stringify(documentOf('clerk'));
    expect(JSON.stringify(whole)).toContain('SKU-0001');
    expect(text).not.toContain('SKU-0001');
  });

  test('the document of the reports has those that the caller may call', async () => {
    const manager = await documentFor('manager', '/reports/docs/openapi.json');
    expect(Object.keys(manager.paths)).toContain('/run/code/{code}');
    expect(await officialProblems(manager)).toEqual([]);
  });
});

/** Values of every parameter of the queries, in the form of its example. */
function sampleOf(path: string): unknown {
  return whole.paths[path]?.['post']?.requestBody?.content?.['application/json']?.example ?? {};
}
