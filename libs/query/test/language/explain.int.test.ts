import { createDatabase, type Database } from '@lintel/persistence';
import { type CompiledStatement, QuerySyntaxError } from '@lintel/query';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { DATA } from '../data.ts';
import { model } from '../model.ts';
import { compileRequest } from '../run-stages.ts';
import type { TestAccess } from '../test-access.ts';
import { type GeneratedQuery, generatedQuery } from './generate-query.ts';

const CASES = cases(400);

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: model.version, build: (url) => createSchemaFromModel(url, model) },
    'language',
  );
  for (const statement of DATA) await server.query(statement);
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'language-test',
  });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const LIMITED: TestAccess = {
  rows: {
    t_Pet: "{E}.owner.address.country = :current_user_country or {E}.age * 2 > 3 and lower({E}.name) like '%e%'",
    t_Owner: '{E}.pets is not empty and not exists (select v from t_Visit v where v.pet.owner = {E} and v.cost > 1000)',
    t_Visit: '{E}.cost is null or {E}.cost between 0 and 1000',
  },
  session: { current_user_country: 'DE', current_user_name: 'Rex', current_user_timeZoneId: 'America/New_York' },
};

/** The statements of a query that is accepted; none of one that is refused with its position. */
function compiled({ entity, ...query }: GeneratedQuery, access: TestAccess): readonly CompiledStatement[] {
  try {
    return (['list', 'count'] as const).map((operation) =>
      compileRequest(
        { operation, entityName: entity, query, members: operation === 'count' ? {} : { limit: 10 } },
        access,
      ),
    );
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    expect(error.line).toBeGreaterThan(0);
    return [];
  }
}

test.each([
  ['sees everything', {}],
  ['has row conditions of the whole language', LIMITED],
] as const)(
  'PostgreSQL accepts the statement of every accepted query, for a caller who %s',
  async (_, access) => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(generatedQuery, async (query) => {
        for (const { text, values } of compiled(query, access)) {
          accepted += 1;
          await database.query({ text: `EXPLAIN ${text}`, values });
        }
      }),
      CASES,
    );
    // Most of what is generated is right: else the test would say little.
    expect(accepted).toBeGreaterThan(CASES.numRuns);
  },
  120_000,
);

test('what is accepted can be run: it fails for values alone', async () => {
  await fc.assert(
    fc.asyncProperty(generatedQuery, async (query) => {
      for (const { text, values } of compiled(query, LIMITED)) {
        try {
          await database.query({ text, values });
        } catch (error) {
          const { cause } = error as { readonly cause?: { readonly code?: string } };
          expect(cause?.code?.slice(0, 2)).toMatch(/^2[12]$/);
        }
      }
    }),
    cases(200),
  );
});
