import { createTestDatabase } from '@lintel/testkit';
import { runMigrations } from '../run-migrations.ts';
import { REPORT_CODES_MIGRATION } from './report-codes.ts';

test('reports need no code after the migration; reverting it gives them their ids', async () => {
  const server = await createTestDatabase('persistence');
  try {
    await runMigrations({ url: server.url, migrations: [] });
    const insert = (id: string, code: string | null) =>
      server.query(
        `INSERT INTO report.report (id, version, name, code, rest_access, definition) VALUES ($1::uuid, 1, $1::text, $2, true, '{}')`,
        [id, code],
      );
    const [first, second, coded] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()] as const;
    await insert(first, null);
    await insert(second, null);
    await insert(coded, 'coded');
    await expect(insert(crypto.randomUUID(), 'coded')).rejects.toThrow('uq_report__code__live');
    for (const text of REPORT_CODES_MIGRATION.down) await server.query(text);
    const rows = await server.query<{ id: string; code: string }>('SELECT id::text, code FROM report.report');
    expect(new Map(rows.map(({ id, code }) => [id, code]))).toEqual(
      new Map([
        [first, first],
        [second, second],
        [coded, 'coded'],
      ]),
    );
    for (const text of REPORT_CODES_MIGRATION.up) await server.query(text);
    await insert(crypto.randomUUID(), null);
  } finally {
    await server.drop();
  }
});
