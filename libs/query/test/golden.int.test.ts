import { createDatabase, type Database } from '@lintel/persistence';
import { shapeRow } from '@lintel/query';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { DATA } from './data.ts';
import { expectedText, type GoldenCase, goldenAreas } from './golden/golden-cases.ts';
import { model } from './model.ts';
import { compileRequest } from './run-stages.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase({ key: model.version, build: (url) => createSchemaFromModel(url, model) }, 'query');
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

/** The rows that the database returns: JSON texts, numbers with all their digits. */
async function rowsOf({ request, access }: GoldenCase): Promise<readonly string[]> {
  const { name, text, values, shape } = compileRequest(request, access);
  const rows = await database.query<Record<string, string | null>>({ name, text, values });
  const omitNulls = request.members?.['returnNulls'] !== true;
  return rows.flatMap(({ json, count, ...position }) => {
    if (request.end === true) return JSON.stringify(Object.values(position));
    return typeof json === 'string' ? (shapeRow(json, shape, { omitNulls }) ?? []) : (count ?? []);
  });
}

describe.each(goldenAreas())('rows of $area', ({ cases }) => {
  test.each(cases)('$title', async (golden) => {
    const rows = await rowsOf(golden);
    expect(rows.join('')).not.toContain('\n');
    const found = rows.map((row) => `${row}\n`).join('');
    expect(found).toBe(expectedText(golden, 'expected.jsonl', found));
  });
});
