import { isPlatformError } from '@lintel/errors';
import { createDatabase, type Database } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { DATA } from './data.ts';
import { model } from './model.ts';
import { compileRequest } from './run-stages.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: model.version, build: (url) => createSchemaFromModel(url, model) },
    'query_run',
  );
  for (const statement of DATA) await server.query(statement);
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'query-test',
  });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const PATHS = [
  ...['name', 'color', 'weight', 'ratio', 'serial', 'age', 'alive', 'born', 'seenAt', 'chippedAt', 'feedAt', 'chip'],
  ...['photo', 'owner', 'owner.name', 'owner.level', 'owner.address', 'owner.address.city', 'owner.nicknames'],
  ...['owner.pets.name', 'passport.code', 'tags', 'tags.label', 'visits', 'visits.cost', 'visits.rate'],
  ...['visits.rate.id.currency', 'visits.staff', 'visits.staff.name'],
];
const OPERATORS = ['=', '<>', '>', '<=', 'in', 'notIn', 'contains', 'doesNotContain', 'endsWith', 'isNull', 'notEmpty'];
const LITERALS = fc.oneof(
  fc.constantFrom('RED', 'HIGH', 'true', '2024-02-29', '9999-12-31', '0001-01-01T00:00', '23:59:59.999999999'),
  fc.constantFrom(
    '2024-01-01T00:00:00.123456789+15:59',
    '1e308',
    '4.9e-324',
    '1e-307',
    '-0',
    '1e999',
    'AP8=',
    '\ud800',
  ),
  fc.constantFrom('2147483647', '-9223372036854775808', `${'9'.repeat(400)}.${'9'.repeat(400)}e999`),
  fc.string(),
  fc.double().map(String),
  fc.integer(),
  fc.uuid(),
  fc.record({ currency: fc.string(), validOn: fc.constant('2026-01-01') }),
);
const condition = fc.record({
  property: fc.constantFrom(...PATHS),
  operator: fc.constantFrom(...OPERATORS),
  value: fc.oneof(LITERALS, fc.array(LITERALS, { maxLength: 2 })),
});
const ACCESS = {
  rows: {
    t_Pet: '{E}.owner.address.country = :country or {E}.age > 2 and not ({E}.color in (:color, :color))',
    t_Vet: "{E}.licence = 'L-1'",
    t_Owner: '{E}.pets.visits.cost > 1 or {E}.level is null',
  },
  session: { country: 'DE', color: 'RED' },
};

test('every statement that is compiled can be run, with and without row conditions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      async (conditions, isLimited, dynamicAttributes) => {
        const members = {
          filter: { conditions: [{ group: 'OR', conditions }] },
          sort: '-owner.address.city,owner',
          limit: '3',
          dynamicAttributes,
          fetchPlan: { entity: 't_Pet', properties: ['name', 'owner.pets', 'tags.pets.name', 'visits.staff'] },
        };
        try {
          const statement = compileRequest(
            { operation: 'list', entityName: 't_Pet', members },
            isLimited ? ACCESS : {},
          );
          await database.query(statement);
        } catch (error) {
          if (!isPlatformError(error) || error.code !== 'REQ_INVALID_FILTER') throw error;
        }
      },
    ),
    cases(500),
  );
});

test.each([
  ['a pattern that ends with the escape character', '%!', '!'],
  ['an escape of several characters', 'a%', '!!'],
])('%s, sent for a parameter, is bad input', async (_, pattern, escaped) => {
  const query = {
    text: 'select p from t_Pet p where p.name like :pattern escape :escaped',
    parameters: { pattern: 'string', escaped: 'string' },
    given: { pattern, escaped },
  };
  const statement = compileRequest({ operation: 'list', entityName: 't_Pet', query });
  await expect(database.query(statement)).rejects.toMatchObject({ code: 'DATA_VALIDATION_FAILED', status: 400 });
});
