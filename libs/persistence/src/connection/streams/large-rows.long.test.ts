import { createTestDatabase } from '@lintel/testkit';
import { createDatabase } from '../create-database.ts';

const MEBIBYTE = 1024 * 1024;

test('a row that the driver cannot make a text of is a refused request, not the end of the process', async () => {
  const server = await createTestDatabase('persistence');
  const database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 120_000,
    applicationName: 'large-rows',
    maxRowBytes: 2 ** 31,
    maxResultBytes: 2 ** 31,
  });
  const large = { text: `SELECT repeat('x', ${513 * MEBIBYTE}) AS text`, values: [] };
  await expect(database.query(large)).rejects.toMatchObject({ code: 'DATA_RESULT_TOO_LARGE', status: 400 });
  expect(await database.query({ text: 'SELECT 1 AS n', values: [] })).toEqual([{ n: 1 }]);
  await database.close();
  await server.drop();
}, 180_000);
