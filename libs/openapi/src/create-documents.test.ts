import {
  type Application,
  defineApplication,
  loadQueries,
  predefinedQuery,
  restMethod,
  service,
  t,
} from '@lintel/application';
import type { Schema } from '@lintel/contracts';
import {
  arrayOf,
  bigInteger,
  boolean,
  byteArray,
  createMessages,
  date,
  dateTime,
  decimal,
  double,
  EMAIL_PATTERN,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  fileRef,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  manyToMany,
  offsetDateTime,
  offsetTime,
  softDeletedEntity,
  standardEntity,
  string,
  toOne,
  toOneInverse,
  uuid,
} from '@lintel/metadata';
import { createDocuments } from './create-documents.ts';

const Grade = enumeration('t.Grade', { LOW: 'L', HIGH: 'H' });
const application = defineApplication({
  id: 't',
  name: 'Things',
  enums: [Grade],
  entities: [
    softDeletedEntity('t_Thing', {
      attributes: {
        name: string(20).mandatory(),
        code: string().pattern(/[A-Z]+/),
        mail: string().email(),
        grade: enumOf(Grade),
        must: enumOf(Grade).mandatory().default('LOW'),
        price: decimal(19, 2).min('0').mandatory(),
        count: integer().max('9'),
        big: long(),
        huge: bigInteger(),
        ratio: double(),
        on: boolean(),
        key: uuid(),
        day: localDate(),
        oldDay: date(),
        moment: localDateTime(),
        oldMoment: dateTime(),
        instant: offsetDateTime(),
        hour: localTime(),
        zoned: offsetTime(),
        bytes: byteArray(),
        file: fileRef(),
        tags: elements(5),
        location: embedded('t_Location'),
        owner: toOne('t_Owner').mandatory(),
        licence: toOneInverse('t_Licence', 'thing'),
        friends: manyToMany('t_Owner'),
        fixed: string().readOnly(),
        secret: string().secret(),
      },
      instanceName: ['{name}', ' ', '{code}'],
    }),
    embeddable('t_Location', { attributes: { city: string() } }),
    standardEntity('t_Owner', { attributes: { name: string() } }),
    standardEntity('t_Licence', { attributes: { thing: toOne('t_Thing').unique() } }),
  ],
  services: [
    service('t_Service', {
      twice: [
        restMethod({ params: { of: t.int }, returns: t.decimal, methods: ['POST'] }, () => '1'),
        restMethod({ params: { of: t.int, by: t.list(t.uuid) }, returns: t.entity('t_Thing') }, () => null),
      ],
      limited: restMethod(
        {
          params: { amount: t.decimal.positive(), names: t.list(t.string).size(1, 2) },
          returns: t.void,
        },
        () => null,
      ),
      nothing: restMethod({ params: { thing: t.entity('t_Thing').optional() }, returns: t.void }, () => null),
    }),
  ],
  demoData: {
    instances: [
      {
        entity: 't_Thing',
        values: { id: '00000000-0000-4000-8000-000000000001', name: 'A', price: '1.50', secret: 'x' },
      },
    ],
  },
});
const messages = createMessages([
  { locale: '', texts: { 't/Thing': 'Thing', 't/Thing.name': 'Name' } },
  { locale: 'de', texts: { 't/Thing': 'Ding' } },
]);
const PATHS = {
  basePath: '/api',
  entitiesPath: '/entities',
  changesPath: '/changes',
  docsPath: '/docs',
  metadataPath: '/metadata',
  filesPath: '/files',
  messagesPath: '/messages',
  permissionsPath: '/permissions',
  queriesPath: '/queries',
  servicesPath: '/services',
  userInfoPath: '/userInfo',
  userSessionPath: '/user-session',
  apiKeysPath: '/api-keys',
  clientsPath: '/clients',
  operationsPath: '/operations',
  rightsPath: '/rights',
  ticketsPath: '/tickets',
  capabilitiesPath: '/capabilities',
};

// biome-ignore lint/suspicious/noExplicitAny: a document has every shape
const detailed = (isDemo = true, locale = 'en', of: Application = application): any =>
  JSON.parse(
    createDocuments({ application: of, paths: PATHS, isDemo }, of.model, messages, locale).openapiDetailed['3.1'].json()
      .text,
  );
const { paths, components } = detailed();
const thing: Readonly<Record<string, Schema>> = components.schemas.entity_t_Thing.properties;

// Asserts contract/api-documents.md#detailed, contract/decisions.md#15, contract/decisions.md#3,
// contract/instances.md#values.
test.each([
  ['name', { title: 'Name', type: 'string', maxLength: 20 }],
  ['code', { type: ['string', 'null'], pattern: '^(?:[A-Z]+)$' }],
  ['mail', { type: ['string', 'null'], pattern: EMAIL_PATTERN }],
  ['grade', { type: ['string', 'null'], enum: ['LOW', 'HIGH', null] }],
  ['must', { type: 'string', enum: ['LOW', 'HIGH'], default: 'LOW' }],
  ['price', { type: 'number', format: 'double', minimum: 0 }],
  ['count', { type: ['integer', 'null'], format: 'int32', maximum: 9 }],
  ['big', { type: ['integer', 'null'], format: 'int64' }],
  ['huge', { type: ['integer', 'null'], format: 'int64' }],
  ['ratio', { type: ['number', 'null'], format: 'double' }],
  ['on', { type: ['boolean', 'null'] }],
  ['key', { type: ['string', 'null'], format: 'uuid' }],
  ['day', { type: ['string', 'null'], format: 'date' }],
  ['oldDay', { format: 'date' }],
  ['moment', { format: 'date-time-local' }],
  ['oldMoment', { format: 'date-time-local' }],
  ['instant', { format: 'date-time' }],
  ['hour', { format: 'time-local' }],
  ['zoned', { format: 'time' }],
  ['bytes', { format: 'byte', contentEncoding: 'base64' }],
  ['file', { type: ['string', 'null'] }],
  ['tags', { type: ['array', 'null'], items: { type: 'string', maxLength: 5 } }],
  ['location', { anyOf: [{ $ref: '#/components/schemas/entity_t_Location' }, { type: 'null' }] }],
  ['owner', { anyOf: [{ $ref: '#/components/schemas/entity_t_Owner' }, { type: 'null', readOnly: true }] }],
  ['licence', { anyOf: [{ $ref: '#/components/schemas/entity_t_Licence' }, { type: 'null' }] }],
  ['friends', { type: ['array', 'null'], items: { $ref: '#/components/schemas/entity_t_Owner' } }],
  ['fixed', { readOnly: true }],
  ['secret', { writeOnly: true }],
  ['_entityName', { type: 'string', default: 't_Thing', pattern: '^(?:t_Thing)$' }],
  ['_instanceName', { default: 'name,code' }],
])('the attribute %s has its exact type', (name, schema) => {
  expect(thing[name]).toMatchObject(schema);
});

// Asserts contract/api-documents.md#detailed.
test('a new instance requires its mandatory attributes, patches of a list require their ids', () => {
  const { post, put, patch } = paths['/api/entities/t_Thing'];
  const schemasOf = ({ requestBody }: { requestBody: { content: Record<string, { schema: Schema }> } }) =>
    Object.values(requestBody.content).map(({ schema }) => schema);
  const of = (name: string, required: readonly string[]) => ({ $ref: `#/components/schemas/entity_${name}`, required });
  expect(schemasOf(post)).toEqual([of('t_Thing', ['name', 'price', 'owner'])]);
  expect(schemasOf(patch)[0]).toEqual({ type: 'array', items: of('t_Thing', ['id']) });
  // An upsert names instances by other attributes.
  expect(schemasOf(put)).toEqual([{ type: 'array', items: { $ref: '#/components/schemas/entity_t_Thing' } }]);
});

test('keys that the client chooses are in the examples; the name of an entity is its own or that of an extending one', () => {
  const keyed = defineApplication({
    id: 'k',
    name: 'Keys',
    entities: [
      embeddable('k_Part', { attributes: { code: string(3).mandatory(), day: localDate().mandatory() } }),
      keyedEntity('k_Rate', { key: 'id', attributes: { id: embedded('k_Part'), rate: integer() } }),
      keyedEntity('k_Store', { key: 'code', attributes: { code: string(4), name: string().mandatory() } }),
      standardEntity('k_Party', { abstract: true, attributes: {} }),
      standardEntity('k_Firm', { extends: 'k_Party', attributes: {} }),
      standardEntity('k_Bank', { extends: 'k_Firm', attributes: {} }),
    ],
  });
  const { paths: all, components: shared } = detailed(false, 'en', keyed);
  const id = { code: 'tex', day: '2026-01-31' };
  const { post, delete: remove } = all['/api/entities/k_Rate'];
  expect(post.requestBody.content['application/json'].example).toEqual({ id, rate: 1 });
  expect(remove.requestBody.content['application/json']).toEqual({
    schema: { type: 'array', items: { $ref: '#/components/schemas/entity_k_Part', required: ['code', 'day'] } },
    example: [id],
  });
  const { name, example } = all['/api/entities/k_Rate/{entityId}'].get.parameters
    .map(({ $ref = '' }: { $ref?: string }) => shared.parameters[$ref.split('/').at(-1) ?? ''])
    .find((parameter: { name: string } | undefined) => parameter?.name === 'entityId');
  expect([name, JSON.parse(Buffer.from(example, 'base64url').toString())]).toEqual(['entityId', id]);
  const stored = all['/api/entities/k_Store'].post.requestBody.content['application/json'];
  expect(stored.example).toEqual({ code: 'text', name: 'text' });
  const names = ['k_Party', 'k_Firm'].map((each) => shared.schemas[`entity_${each}`].properties._entityName.pattern);
  expect(names).toEqual(['^(?:k_Party|k_Firm|k_Bank)$', '^(?:k_Firm|k_Bank)$']);
});

test('an entity whose name OpenAPI does not allow has a schema with another name', () => {
  const named = detailed(
    false,
    'en',
    defineApplication({ id: 'n', name: 'Names', entities: [standardEntity('n$Größe', { attributes: {} })] }),
  );
  const name = 'entity_n.24Gr.f6.dfe';
  expect(Object.keys(named.components.schemas)).toContain(name);
  expect(named.paths['/api/entities/n$Größe/{entityId}'].get.responses['200'].content).toMatchObject({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
  });
});

test('dates of a former table that the model calls unbounded have no format', () => {
  const table = { schema: 'public', name: 'contract' };
  const attributes = {
    day: localDate(),
    until: localDate().unbounded().mandatory(),
    days: arrayOf(localDate().unbounded()),
  };
  const old = defineApplication({
    id: 'o',
    name: 'Old',
    entities: [standardEntity('o_Contract', { table, attributes })],
  });
  const { properties } = detailed(false, 'en', old).components.schemas.entity_o_Contract;
  expect(properties.day).toMatchObject({ format: 'date' });
  expect(properties.until).toMatchObject({ type: 'string', description: expect.stringContaining('infinity') });
  expect(JSON.stringify([properties.until, properties.days])).not.toContain('format');
});

// Asserts contract/api-documents.md#endpoints.
test('captions are in the locale of the document, and describe the tags too', () => {
  expect(components.schemas.entity_t_Thing.title).toBe('Thing');
  const german = detailed(true, 'de');
  expect(german.components.schemas.entity_t_Thing).toMatchObject({
    title: 'Ding',
    properties: { name: { title: 'Name' } },
  });
  expect(german.tags).toContainEqual({ name: 't_Thing', description: 'Ding' });
});

// Asserts contract/conventions.md#endpoints.
test('entities have operations of their own under the configured paths, embeddables none', () => {
  expect(Object.keys(paths['/api/entities/t_Thing/{entityId}'])).toEqual(['get', 'put', 'patch', 'delete']);
  expect(paths['/api/entities/t_Thing/{entityId}'].get.operationId).toBe('getEntity_t_Thing');
  expect(paths['/api/entities/t_Location']).toBeUndefined();
});

// Asserts contract/api-documents.md#detailed.
test('methods of one name are one operation: any of their bodies, any of their results', () => {
  expect(Object.keys(paths['/api/services/t_Service/twice'])).toEqual(['get', 'post']);
  const { get, post } = paths['/api/services/t_Service/twice'];
  expect(get.parameters.slice(0, 2)).toEqual([
    {
      name: 'of',
      in: 'query',
      description: expect.any(String),
      schema: { type: 'integer', format: 'int32' },
      required: true,
    },
    expect.objectContaining({ name: 'by', schema: expect.objectContaining({ contentMediaType: 'application/json' }) }),
  ]);
  expect(post.requestBody.content['application/json'].schema.anyOf).toHaveLength(2);
  expect(post.responses['200'].content).toEqual({
    'text/plain': { schema: { type: 'string' } },
    'application/json': {
      schema: {
        anyOf: [
          { type: 'number', format: 'double', description: 'Exact: all digits are sent' },
          { $ref: '#/components/schemas/entity_t_Thing' },
        ],
      },
    },
  });
});

// Asserts contract/api-documents.md#detailed.
test('what is optional may be null; a method without a result has no content', () => {
  const { post } = paths['/api/services/t_Service/nothing'];
  expect(post.requestBody.content['application/json'].schema).toEqual({
    type: 'object',
    properties: { thing: { anyOf: [{ $ref: '#/components/schemas/entity_t_Thing' }, { type: 'null' }] } },
    additionalProperties: false,
  });
  expect(post.responses['200']?.content).toBeUndefined();
});

test('parameters of methods have the rules that JSON Schema can express, in bodies and in URLs', () => {
  const { get, post } = paths['/api/services/t_Service/limited'];
  const amount = { type: 'number', format: 'double', exclusiveMinimum: 0 };
  const { properties } = post.requestBody.content['application/json'].schema;
  expect(properties).toMatchObject({ amount, names: { type: 'array', minItems: 1, maxItems: 2 } });
  expect(get.parameters[0].schema).toMatchObject(amount);
});

test('the body of a count has the filter alone', () => {
  const { requestBody } = paths['/api/entities/t_Thing/search/count'].post;
  const { schema, example } = requestBody.content['application/json'];
  expect([schema, Object.keys(example)]).toEqual([{ $ref: '#/components/schemas/CountRequest' }, ['filter']]);
});

// Asserts contract/api-documents.md#detailed.
test('examples are made of the demo data, where it is shown, without what is secret; else of made-up values', () => {
  const exampleOf = (document: typeof components) =>
    document.paths['/api/entities/t_Thing/{entityId}'].get.responses['200'].content['application/json'].example;
  expect(exampleOf(detailed())).toEqual({
    _entityName: 't_Thing',
    id: '00000000-0000-4000-8000-000000000001',
    name: 'A',
    price: 1.5,
  });
  expect(exampleOf(detailed(false))).toEqual({
    _entityName: 't_Thing',
    id: '00000000-0000-4000-8000-000000000001',
    name: 'text',
    must: 'LOW',
    price: 1,
    owner: { id: '00000000-0000-4000-8000-000000000001' },
  });
});

// Asserts contract/api-documents.md#endpoints.
test('a text is made once, and YAML begins as the reference’s does', async () => {
  const documents = createDocuments({ application, paths: PATHS, isDemo: false }, application.model, messages, 'en');
  expect(documents.openapi['3.1'].json()).toBe(documents.openapi['3.1'].json());
  expect((await documents.openapi['3.1'].yaml()).text).toMatch(/^---\nopenapi: 3\.1\.0\n/);
});

// Asserts contract/api-documents.md#detailed.
test('parameters of queries have their types; rows are instances or objects of values', async () => {
  const queries = [
    predefinedQuery('t_Thing', 'named', {
      text: 'select e from t_Thing e where e.name = :name and e.grade in :grades',
      fetchPlan: '_local',
      parameters: { name: 'string', grades: 't.Grade[]' },
    }),
    predefinedQuery('t_Thing', 'names', { text: 'select e.name as name from t_Thing e' }),
  ];
  const withQueries = await loadQueries({ ...application, queries }, [], () => Promise.reject(new Error('no file')));
  const { paths: all, components: shared } = detailed(false, 'en', withQueries);
  const { get, post } = all['/api/queries/t_Thing/named'];
  expect(get.parameters[0]).toEqual({ $ref: '#/components/parameters/parameter_name' });
  expect(shared.parameters.parameter_name).toMatchObject({ in: 'query', required: true, schema: { type: 'string' } });
  expect(post.requestBody.content['application/json'].schema).toMatchObject({
    properties: { grades: { type: 'array', items: { enum: ['LOW', 'HIGH'] } } },
    required: ['name', 'grades'],
  });
  const rowOf = (name: string) =>
    all[`/api/queries/t_Thing/${name}`].get.responses['200'].content['application/json'].schema.items;
  expect([rowOf('named'), rowOf('names')]).toEqual([
    { $ref: '#/components/schemas/entity_t_Thing' },
    { type: 'object', additionalProperties: true },
  ]);
});
