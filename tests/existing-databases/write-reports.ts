/**
 * Writes the reports that the tests expect again; read the difference. `LINTEL_TEST_POSTGRES_URL` names the server:
 * `node --conditions=lintel-source tests/existing-databases/write-reports.ts`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@lintel/testkit';
import { introspect, statementsOf } from './existing-database.ts';
import { reportText } from './report-text.ts';

const reports = new URL('./reports/', import.meta.url);
mkdirSync(reports, { recursive: true });
for (const name of ['chinook', 'northwind', 'pagila', 'names', 'vehicles']) {
  const database = await createTestDatabase(name);
  const folder = mkdtempSync(join(tmpdir(), 'lintel-report-'));
  try {
    await database.query(statementsOf(name));
    writeFileSync(new URL(`${name}.txt`, reports), reportText(await introspect(name, database.url, folder)));
  } finally {
    rmSync(folder, { recursive: true });
    await database.drop();
  }
}
