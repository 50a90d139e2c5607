import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createDatabase } from '../create-database.ts';

const MEBIBYTE = 1024 * 1024;
const SHOWN = {
  text: `SELECT current_setting('work_mem') AS work, current_setting('temp_file_limit') AS files`,
  values: [],
};

let server: TestDatabase;
beforeAll(async () => {
  server = await createTestDatabase('persistence');
});
afterAll(() => server.drop());

const connect = (url: string, temporaryFileBytes: number) =>
  createDatabase({
    url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'session-memory',
    memory: { workBytes: 3 * MEBIBYTE, temporaryFileBytes },
  });

test('each session has the limits of memory and files', async () => {
  const database = connect(server.url, 10 * MEBIBYTE);
  expect(await Promise.all([database.query(SHOWN), database.query(SHOWN)])).toEqual(
    [1, 2].map(() => [{ work: '3MB', files: '10MB' }]),
  );
  const sorted = {
    text: `SELECT repeat(n::text, 50) AS s FROM generate_series(1, 200000) n ORDER BY 1 OFFSET 199999`,
    values: [],
  };
  await expect(database.query(sorted)).rejects.toMatchObject({
    code: 'REQ_COST_EXCEEDED',
    details: expect.stringContaining('(temp_file_limit)'),
  });
  expect(await database.query(SHOWN)).toEqual([{ work: '3MB', files: '10MB' }]);
  await database.close();
});

test('a login that may not limit files connects all the same', async () => {
  const name = `plain_${server.name}`;
  await server.query(`CREATE ROLE "${name}" LOGIN PASSWORD 'plain'`);
  const url = new URL(server.url);
  url.username = name;
  url.password = 'plain';
  const database = connect(url.href, 10 * MEBIBYTE);
  expect(await database.query(SHOWN)).toMatchObject([{ work: '3MB' }]);
  await database.close();
  await server.query(`DROP ROLE "${name}"`);
});
