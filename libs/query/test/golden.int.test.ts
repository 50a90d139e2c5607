import { createDatabase, createSchemaFromModel, type Database } from '@lintel/persistence';
import { shapeRow } from '@lintel/query';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { DATA } from './data.ts';
import { type GoldenCase, goldenFiles, writeGoldenFile } from './golden-cases.ts';
import { model } from './model.ts';
import { compileRequest } from './run-stages.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase('query');
  await createSchemaFromModel(server.url, model);
  for (const statement of DATA) await server.query(statement);
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    applicationName: 'query-test',
  });
}, 60_000);

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

/** The statement of a case, its values and the rows that the database answers. */
async function run({ request, access }: GoldenCase): Promise<Required<Pick<GoldenCase, 'sql' | 'values' | 'rows'>>> {
  const { name, text, values, shape } = compileRequest(request, access);
  const rows = await database.query<Record<string, string | null>>({ name, text, values });
  const omitNulls = request.members?.['returnNulls'] !== true;
  const shaped = rows.flatMap(({ json, count, ...position }) => {
    if (request.end === true) return JSON.stringify(Object.values(position));
    return typeof json === 'string' ? (shapeRow(json, shape, { omitNulls }) ?? []) : (count ?? []);
  });
  return { sql: text, values, rows: shaped };
}

describe.each(goldenFiles())('rows of $file', ({ file, cases }) => {
  if (process.env['LINTEL_UPDATE_CASES'] === '1') {
    test('are written', async () => {
      const found: GoldenCase[] = [];
      for (const { title, request, access, ...rest } of cases) {
        const made = await run({ title, request, ...(access === undefined ? {} : { access }), ...rest });
        found.push({ title, request, ...(access === undefined ? {} : { access }), ...made });
      }
      writeGoldenFile(file, found);
    });
    return;
  }
  test.each(cases)('$title', async (golden) => {
    expect((await run(golden)).rows).toEqual(golden.rows);
  });
});
