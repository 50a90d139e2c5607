import { loadQueries, loadServices, serviceComponent } from '@lintel/application';
import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

const ATTRIBUTES =
  'deprecatedSince="2026-01-31" deprecatedSunset="2027-06-30" deprecatedLink="https://example.org/changes"';
const QUERIES = `<queries><query name="xml" entity="w_Box" fetchPlan="_local" ${ATTRIBUTES}>
  <jpql>select b from w_Box b</jpql></query></queries>`;
const SERVICES = `<services><service name="w_Xml"><method name="f" httpMethod="GET" ${ATTRIBUTES}/><method name="g"/>
  </service></services>`;

let data: DataFixture;
beforeAll(async () => {
  const texts: Readonly<Record<string, string>> = { 'queries.xml': QUERIES, 'services.xml': SERVICES };
  const resource = async (_: unknown, name: string): Promise<string> => texts[name] ?? '';
  const component = serviceComponent('w_Xml', { f: () => 'f', g: () => 'g' });
  const application = { ...workshop, services: [...(workshop.services ?? []), component] };
  const withServices = await loadServices(application, ['services.xml'], resource);
  data = await startData(await loadQueries(withServices, ['queries.xml'], resource), workers);
});
afterAll(() => data?.close());

const headersOf = async (method: string, path: string, body?: unknown) => {
  const { status, headers } = await data.send('admin', method, path, body);
  return [status, headers.get('deprecation'), headers.get('sunset'), headers.get('link')];
};
const NONE = [null, null, null];

test('queries and methods of the application announce that they are deprecated (contract/conventions.md#deprecated)', async () => {
  const link = '<https://example.org/changes>; rel="deprecation"; type="text/html"';
  const announced = ['@1769817600', 'Wed, 30 Jun 2027 00:00:00 GMT', link];
  expect(await headersOf('GET', '/queries/w_Box/old')).toEqual([200, ...announced]);
  expect(await headersOf('POST', '/queries/w_Box/old/count', {})).toEqual([200, ...announced]);
  expect(await headersOf('GET', '/queries/w_Box/byName?name=a')).toEqual([200, ...NONE]);
  expect(await headersOf('GET', '/services/w_Tools/twice?of=1')).toEqual([200, '@1769817600', null, null]);
  expect(await headersOf('GET', '/services/w_Tools/half?of=1')).toEqual([200, ...NONE]);
});

// Asserts contract/conventions.md#deprecated.
test('queries and methods of XML files announce it in the same way', async () => {
  const link = '<https://example.org/changes>; rel="deprecation"; type="text/html"';
  const announced = ['@1769817600', 'Wed, 30 Jun 2027 00:00:00 GMT', link];
  expect(await headersOf('GET', '/queries/w_Box/xml')).toEqual([200, ...announced]);
  expect(await headersOf('GET', '/services/w_Xml/f')).toEqual([200, ...announced]);
  expect(await headersOf('GET', '/services/w_Xml/g')).toEqual([200, ...NONE]);
  const { paths } = (await data.send('admin', 'GET', '/docs/openapiDetailed.json')).json();
  expect(paths['/rest/queries/w_Box/xml'].get.deprecated).toBe(true);
  expect(paths['/rest/services/w_Xml/f'].get.deprecated).toBe(true);
  expect(paths['/rest/services/w_Xml/g'].get.deprecated).toBeUndefined();
});

// Asserts contract/conventions.md#deprecated.
test('the older names of parameters are announced, and work as before', async () => {
  const old = '@1764028800'.replace('1764028800', String(Date.parse('2026-11-25T00:00:00Z') / 1_000));
  expect(await headersOf('GET', '/entities/w_Box?view=_local')).toEqual([200, old, null, null]);
  expect(await headersOf('POST', '/entities/w_Box?responseView=_local', { name: 'a' })).toEqual([201, old, null, null]);
  expect(await headersOf('GET', '/entities/w_Box?fetchPlan=_local')).toEqual([200, ...NONE]);
});

// Asserts contract/conventions.md#deprecated.
test('the API document has them as deprecated', async () => {
  const { paths } = (await data.send('admin', 'GET', '/docs/openapiDetailed.json')).json();
  const query = paths['/rest/queries/w_Box/old'].get;
  expect([query.deprecated, query.description]).toEqual([
    true,
    expect.stringContaining(
      'Deprecated since 2026-01-31; it may be missing from 2027-06-30. See https://example.org/changes.',
    ),
  ]);
  expect(paths['/rest/services/w_Tools/twice'].get.deprecated).toBe(true);
  expect(paths['/rest/services/w_Tools/half'].get.deprecated).toBeUndefined();
  expect(paths['/rest/queries/w_Box/byName'].get.deprecated).toBeUndefined();
});
