import { parse } from 'yaml';
import { as, send } from '../api.ts';
import { ask, DETAILED, detailed, GENERIC, generic, NAMED, REPORTS, reports } from './named-documents.ts';
import { type OpenApi, type Operation, resolved } from './read-document.ts';

const operationsOf = (document: OpenApi): readonly Operation[] => Object.values(document.paths).flatMap(Object.values);
const operation = (document: OpenApi, method: string, path: string): Operation => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
  return found;
};
const queryOf = (document: OpenApi, { parameters = [] }: Operation): readonly string[] =>
  parameters
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);

describe('the documents (contract/api-documents.md#endpoints)', () => {
  // Asserts contract/reports.md#routes.
  test.each([GENERIC, DETAILED, REPORTS])('%s is served as JSON and as YAML, which say the same', async (path) => {
    const [json, yaml] = await Promise.all([ask(`${path}.json`), ask(`${path}.yaml`)]);
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect([yaml.status, yaml.headers.get('content-type')]).toEqual([200, 'application/yaml']);
    expect(yaml.text.startsWith('---\n')).toBe(true);
    expect(parse(yaml.text)).toEqual(json.json());
  });

  // Asserts contract/api-documents.md#endpoints.
  test.each([GENERIC, DETAILED, REPORTS])('%s has a tag, and 304 for a client that has it', async (path) => {
    for (const form of ['json', 'yaml']) {
      const first = await ask(`${path}.${form}`);
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{22}(--\w+)?"$/);
      expect(first.headers.get('vary')).toContain('Accept-Language');
      const again = await ask(`${path}.${form}`, { 'if-none-match': tag });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
  });

  // Asserts contract/api-documents.md#endpoints.
  test('Accept that excludes the form returns 406; absent, any and the form itself are fine', async () => {
    for (const [form, other] of [
      ['json', 'application/yaml'],
      ['yaml', 'application/json'],
    ]) {
      expect((await ask(`${GENERIC}.${form}`, { accept: String(other) })).status).toBe(406);
      for (const accept of ['*/*', `application/${form}`, 'application/*;q=0.1'])
        expect((await ask(`${GENERIC}.${form}`, { accept })).status).toBe(200);
    }
  });

  // Asserts contract/api-documents.md#endpoints, contract/decisions.md#39.
  test('an anonymous list opens those of the API; without rest.enabled every user may read them', async () => {
    for (const path of [GENERIC, DETAILED]) {
      expect((await send('GET', `${path}.json`)).status).toBe(200);
      expect((await as('nobody', 'GET', `${path.replace('/rest', '')}.yaml`)).status).toBe(200);
    }
  });

  // Asserts contract/api-documents.md#endpoints, contract/api-documents.md#reports, contract/reports.md#routes.
  test('the document of the reports needs a token and reports.rest.enabled', async () => {
    expect((await send('GET', `${REPORTS}.json`)).status).toBe(401);
    expect((await as('clerk', 'GET', '/reports/docs/openapi.json')).status).toBe(403);
    expect((await as('manager', 'GET', '/reports/docs/openapi.json')).status).toBe(200);
  });

  // Asserts contract/api-documents.md#endpoints.
  test('captions are in the language of the request, with a tag of its own', async () => {
    const [english, german] = await Promise.all(
      ['en', 'de'].map((locale) => ask(`${DETAILED}.json`, { 'accept-language': locale })),
    );
    const titleOf = (response = english): unknown =>
      response?.json().components.schemas.entity_sales_Order.properties.customer.title;
    expect([titleOf(english), titleOf(german)]).toEqual(['Customer', 'Kunde']);
    expect(english?.headers.get('etag')).not.toBe(german?.headers.get('etag'));
  });

  // Asserts contract/api-documents.md#generic.
  test.each(NAMED)(
    'every operation of the %s one has an id of its own, a summary and a description',
    (_name, document) => {
      const ids = operationsOf(document).map(({ operationId }) => operationId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => /^[a-zA-Z][\w$.]*$/.test(id))).toBe(true);
      for (const { operationId, summary = '', description = '' } of operationsOf(document))
        expect([operationId, summary.length > 5, description.length > 20]).toEqual([operationId, true, true]);
    },
  );

  test.each(NAMED)(
    'the bodies of the %s one have examples, those of files and unknown parameters aside',
    (_name, document) => {
      const without = operationsOf(document).filter(({ requestBody }) =>
        Object.entries(requestBody?.content ?? {}).some(
          ([type, { example }]) => /json|urlencoded/.test(type) && example === undefined,
        ),
      );
      expect(without.map(({ operationId }) => operationId)).toEqual([]);
    },
  );

  test.each(NAMED)('names of the %s one do not collide in the code that generators write', (_name, document) => {
    const collisions = (names: readonly string[]): readonly string[] => {
      const identifiers = names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
      return names.filter((_each, at) => identifiers.indexOf(identifiers[at] ?? '') !== at);
    };
    expect(collisions(Object.keys(document.components.schemas))).toEqual([]);
    expect(collisions(operationsOf(document).map(({ operationId }) => operationId))).toEqual([]);
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas))
      expect([name, collisions(Object.keys(properties))]).toEqual([name, []]);
  });

  test('versions are those of the application and of Lintel', () => {
    expect([generic.info.version, detailed.info.version]).toEqual(['1.0.0', '1.0.0']);
    for (const document of [generic, detailed, reports]) expect(document.info['x-lintel-version']).toMatch(/^\d+\.\d+/);
  });

  test('the messages of webhooks are described', () => {
    expect(Object.keys(detailed.webhooks ?? {})).toEqual(['entityChanged']);
    expect(detailed.components.schemas['WebhookMessage'].required).toEqual(['type', 'timestamp', 'data']);
  });

  // Asserts contract/api-documents.md#generic.
  test.each(NAMED)('the tags of the %s one are declared and described', (_name, document) => {
    const used = new Set(operationsOf(document).flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { description } of document.tags) expect(description).not.toBe('');
  });
});

describe('the generic document (contract/api-documents.md#generic)', () => {
  /** Operations with the codes that the contract lists for them. */
  const OPERATIONS: readonly (readonly [string, string, readonly string[]])[] = [
    ['/entities/{entityName}', 'get', ['200', '403', '404']],
    ['/entities/{entityName}', 'post', ['201', '400', '403', '404']],
    ['/entities/{entityName}/{entityId}', 'get', ['200', '403', '404']],
    ['/entities/{entityName}/{entityId}', 'put', ['200', '403', '404']],
    ['/entities/{entityName}', 'patch', ['200', '204', '400', '403', '404', '415']],
    ['/entities/{entityName}/{entityId}', 'patch', ['200', '204', '400', '403', '404', '412', '415']],
    ['/entities/{entityName}/{entityId}', 'delete', ['204', '403', '404']],
    ['/entities/{entityName}/search', 'get', ['200', '400', '403', '404']],
    ['/entities/{entityName}/search', 'post', ['200', '400', '403', '404']],
    ['/queries/{entityName}', 'get', ['200', '403', '404']],
    ['/queries/{entityName}/{queryName}', 'get', ['200', '403', '404']],
    ['/queries/{entityName}/{queryName}', 'post', ['200', '403', '404']],
    ['/queries/{entityName}/{queryName}/count', 'get', ['200', '403', '404']],
    ['/queries/{entityName}/{queryName}/count', 'post', ['200', '403', '404']],
    ['/services/{serviceName}', 'get', ['200', '403']],
    ['/services/{serviceName}/{methodName}', 'get', ['200', '204', '403']],
    ['/services/{serviceName}/{methodName}', 'post', ['200', '204', '403']],
    ['/files', 'post', ['201']],
    ['/files', 'get', ['200', '404']],
    ['/metadata/entities', 'get', ['200']],
    ['/metadata/entities/{entityName}', 'get', ['200', '404']],
    ['/metadata/entities/{entityName}/fetchPlans', 'get', ['200', '404']],
    ['/metadata/entities/{entityName}/fetchPlans/{planName}', 'get', ['200', '404']],
    ['/metadata/enums', 'get', ['200']],
    ['/metadata/enums/{enumName}', 'get', ['200', '404']],
    ['/metadata/datatypes', 'get', ['200']],
    ['/messages/entities', 'get', ['200']],
    ['/messages/entities/{entityName}', 'get', ['200', '404']],
    ['/messages/enums', 'get', ['200']],
    ['/messages/enums/{enumName}', 'get', ['200', '404']],
    ['/permissions', 'get', ['200']],
    ['/userInfo', 'get', ['200']],
    ['/capabilities', 'get', ['200']],
    ['/docs/openapi.json', 'get', ['200']],
    ['/docs/openapi.yaml', 'get', ['200']],
  ];

  // Asserts contract/api-documents.md#detailed, contract/api-documents.md#generic.
  test.each(OPERATIONS)('%s %s is there with its codes', (path, method, codes) => {
    const declared = Object.keys(operation(generic, method, `/rest${path}`).responses);
    expect(codes.filter((code) => !declared.includes(code))).toEqual([]);
  });

  // Asserts contract/api-documents.md#generic.
  test('all other routes of the contract, of every service, are there too', () => {
    const paths = Object.keys(generic.paths);
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['/oauth/token', '/oauth/revoke', '/oauth2/token', '/oauth2/revoke', '/oauth2/introspect'],
        ...['/rest/user-session/locale', '/rest/version', '/rest/services', '/rest/docs/openapiDetailed.yaml'],
        ...['/rest/reports/report', '/rest/reports/report/{reportId}', '/rest/reports/group/{groupId}'],
        ...['/rest/reports/run/{reportId}', '/rest/reports/run/code/{code}', '/rest/reports/docs/openapi.json'],
      ]),
    );
    expect(generic.servers).toEqual([{ url: '/' }]);
  });

  // Asserts contract/api-documents.md#detailed, contract/api-documents.md#generic.
  test('lists have the parameters of the contract', () => {
    const listed = ['fetchPlan', 'limit', 'offset', 'sort', 'returnNulls', 'returnCount', 'dynamicAttributes'];
    const all = queryOf(generic, operation(generic, 'get', '/rest/entities/{entityName}'));
    expect(all).toEqual(expect.arrayContaining(listed));
    const search = queryOf(generic, operation(generic, 'get', '/rest/entities/{entityName}/search'));
    expect(search).toEqual(expect.arrayContaining(['filter', ...listed]));
    const one = queryOf(generic, operation(generic, 'get', '/rest/entities/{entityName}/{entityId}'));
    expect(one).toEqual(expect.arrayContaining(['fetchPlan', 'returnNulls', 'dynamicAttributes']));
    const query = queryOf(generic, operation(generic, 'get', '/rest/queries/{entityName}/{queryName}'));
    expect(query).toEqual(expect.arrayContaining(listed.filter((name) => name !== 'sort')));
    expect(queryOf(generic, operation(generic, 'post', '/rest/files'))).toEqual(['name', 'storageName']);
  });

  // Asserts contract/api-documents.md#generic.
  test('filters, fetch plans and errors have schemas', () => {
    expect(Object.keys(generic.components.schemas)).toEqual(
      expect.arrayContaining([
        ...['Error', 'OAuthError', 'Token', 'Entity', 'ValidationFailure', 'Filter', 'Condition', 'ConditionGroup'],
        ...['FetchPlan', 'Search', 'PredefinedQuery', 'ServiceInfo', 'Permissions', 'EntityMetadata', 'EnumMetadata'],
        ...['FetchPlanMetadata', 'DatatypeMetadata', 'UserInfo', 'FileInfo', 'Capabilities', 'Messages', 'ReportRun'],
      ]),
    );
  });

  // Asserts contract/tokens.md#authentication.
  test('the flows of OAuth are described', () => {
    const { oauth2, bearer, client } = generic.components.securitySchemes;
    expect(Object.keys(oauth2?.['flows'] as object)).toEqual(['password', 'clientCredentials', 'authorizationCode']);
    expect([bearer?.['scheme'], client?.['scheme']]).toEqual(['bearer', 'basic']);
    expect(operation(generic, 'post', '/oauth/token').security).toEqual([{ client: [] }]);
  });
});

describe('the document of the reports (contract/api-documents.md#reports)', () => {
  test('its paths are those of the contract, below its server', () => {
    expect(reports.servers).toEqual([{ url: '/rest/reports' }]);
    expect(reports.info.version).toBe('2.2');
    const codes = Object.entries(reports.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => [
        `${method} ${path}`,
        Object.keys(responses).filter((code) => ['200', '400', '403', '404'].includes(code)),
      ]),
    );
    expect(Object.fromEntries(codes)).toMatchObject({
      'get /report': ['200', '400', '403'],
      'get /report/{reportId}': ['200', '400', '403', '404'],
      'get /group/{groupId}': ['200', '400', '403', '404'],
      'post /run/{reportId}': ['200', '400', '403', '404'],
      'post /run/code/{code}': ['200', '400', '403', '404'],
      'get /docs/openapi.json': ['200', '400', '403'],
      'get /docs/openapi.yaml': ['200', '400', '403'],
    });
  });
});

describe('the detailed document (contract/api-documents.md#detailed, contract/decisions.md#44)', () => {
  test('it has all of the generic one, and more, but for the search of any entity, whose path is ambiguous', () => {
    const paths = Object.keys(generic.paths).filter((path) => path !== '/rest/entities/{entityName}/search');
    expect(Object.keys(detailed.paths)).toEqual(expect.arrayContaining(paths));
    expect(Object.keys(detailed.components.schemas)).toEqual(
      expect.arrayContaining(Object.keys(generic.components.schemas)),
    );
  });

  // Asserts contract/api-documents.md#detailed.
  test('every stored entity has its operations and a tag with its caption, sorted', async () => {
    const list: { entityName: string; properties: { persistent: boolean }[] }[] = (
      await as('admin', 'GET', '/metadata/entities')
    ).json();
    const stored = list
      .filter(({ properties }) => properties.some(({ persistent }) => persistent))
      .map(({ entityName }) => entityName)
      .filter((name) => !['sales_Address', 'sales_ExchangeRateKey'].includes(name))
      .sort();
    const tags = detailed.tags.map(({ name }) => name).filter((name) => stored.includes(name));
    expect(tags).toEqual(stored);
    expect(detailed.tags).toContainEqual({ name: 'sales_Order', description: 'Order' });
    const CHANGING = ['put', 'patch', 'delete'];
    for (const name of stored) {
      const methods = ['', '/{entityId}', '/search', '/search/count'].map((end) =>
        Object.keys(detailed.paths[`/rest/entities/${name}${end}`] ?? {}),
      );
      const all = name === 'sales_Party' ? ['get', ...CHANGING] : ['get', 'post', ...CHANGING];
      expect([name, methods]).toEqual([name, [all, ['get', ...CHANGING], ['get', 'post'], ['get', 'post']]]);
    }
  });

  // Asserts contract/api-documents.md#detailed.
  test('every query and every service method has its operations, with its parameters', async () => {
    const byStatus = operation(detailed, 'get', '/rest/queries/sales_Order/ordersByStatus');
    expect(queryOf(detailed, byStatus)).toContain('status');
    expect(Object.keys(detailed.paths['/rest/queries/sales_Order/ordersByStatus/count'] ?? {})).toEqual([
      'get',
      'post',
    ]);
    const services: { name: string; methods: { name: string; httpMethod: string | null }[] }[] = (
      await as('admin', 'GET', '/services')
    ).json();
    for (const { name, methods } of services)
      for (const method of methods) {
        const operations = Object.keys(detailed.paths[`/rest/services/${name}/${method.name}`] ?? {});
        const expected = method.httpMethod === null ? ['get', 'post'] : [method.httpMethod.toLowerCase()];
        expect([name, method.name, operations]).toEqual([name, method.name, expect.arrayContaining(expected)]);
      }
    const total = operation(detailed, 'get', '/rest/services/sales_OrderService/calculateTotal');
    const [orderId] = (total.parameters ?? []).map((parameter) => resolved(detailed, parameter));
    expect(orderId).toMatchObject({ name: 'orderId', in: 'query', required: true, schema: { format: 'uuid' } });
    expect(Object.keys(resolved(detailed, total.responses['200'] ?? { $ref: '' }).content ?? {})).toEqual([
      'text/plain',
      'application/json',
    ]);
  });

  // Asserts contract/api-documents.md#detailed.
  test('schemas are named by their entities; DTOs and embeddables are there where something refers to them', () => {
    const names = Object.keys(detailed.components.schemas).filter((name) => name.startsWith('entity_'));
    expect(names).toEqual(expect.arrayContaining(['entity_sales_Order', 'entity_sales_Address', 'entity_sec_User']));
    const text = JSON.stringify([detailed.paths, detailed.components.schemas]);
    for (const name of names) expect(text).toContain(`"#/components/schemas/${name}"`);
  });

  // Asserts contract/api-documents.md#detailed.
  test('attributes have their exact types and formats, in the order of the metadata', async () => {
    const { properties } = detailed.components.schemas['entity_sales_Order'];
    expect(properties).toMatchObject({
      _entityName: { type: 'string', default: 'sales_Order' },
      _instanceName: { type: 'string', default: 'number' },
      id: { type: 'string', format: 'uuid' },
      date: { type: 'string', format: 'date' },
      amount: { type: ['number', 'null'], format: 'double' },
      status: { type: 'string', enum: ['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED'] },
      customer: { anyOf: [{ $ref: '#/components/schemas/entity_sales_Customer' }, { type: 'null', readOnly: true }] },
      createdDate: { format: 'date-time-local' },
      version: { format: 'int32' },
      lineCount: { readOnly: true },
    });
    expect(properties.lines).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/entity_sales_OrderLine' },
    });
    expect(JSON.stringify(properties.attachment)).toContain('File reference');
    const metadata = (await as('admin', 'GET', '/metadata/entities/sales_Order')).json();
    const order = metadata.properties.map(({ name }: { name: string }) => name);
    expect(Object.keys(properties).filter((name) => order.includes(name))).toEqual(order);
  });

  // Asserts contract/api-documents.md#detailed.
  test('dynamic attributes are there, flagged', () => {
    const { properties } = detailed.components.schemas['entity_sales_Customer'];
    expect(properties['+loyaltyPoints']).toMatchObject({
      type: ['integer', 'null'],
      format: 'int32',
      'x-dynamic': true,
    });
    expect(JSON.stringify(properties['+favourite'])).toContain('entity_sales_Product');
  });

  // Asserts contract/api-documents.md#detailed.
  test('examples come from the demo data, and no secret is among them', () => {
    const { content } = resolved(
      detailed,
      operation(detailed, 'get', '/rest/entities/sales_Product/{entityId}').responses['200'] ?? { $ref: '' },
    );
    expect(content?.['application/json']?.example).toMatchObject({ _entityName: 'sales_Product', sku: 'SKU-0001' });
    const search = operation(detailed, 'post', '/rest/entities/sales_Product/search').requestBody;
    expect(search?.content?.['application/json']?.example).toMatchObject({
      filter: { conditions: [{ operator: '=' }] },
    });
    const text = JSON.stringify(detailed);
    expect(text).not.toContain('Margin class');
    expect(text).not.toMatch(/"password":"(?!clerk)/);
  });

  // Asserts contract/api-documents.md#detailed.
  test('permissions are ignored', async () => {
    expect(
      (await as('viewer', 'GET', '/docs/openapiDetailed.json', { headers: { 'accept-language': 'en' } })).text,
    ).toBe((await ask(`${DETAILED}.json`, { 'accept-language': 'en' })).text);
  });
});
