import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CopiedTable, FollowedNotes, programsOfGuide, type Step } from './warehouse.ts';

/** DuckDB has 70 MB: it is installed for this test alone. */
const DUCKDB = '@duckdb/node-api@1.5.6-r.1';

interface DuckTable extends CopiedTable {
  readonly database: {
    runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): readonly object[] }>;
    closeSync(): void;
  };
}

let notes: FollowedNotes;
let folder: string;
let duckTable: (file: string, name: string, columns: Readonly<Record<string, string>>) => Promise<DuckTable>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-warehouse-'));
  const { npm } = await import(new URL('../../../../tools/bootstrap/installation/npm.mjs', import.meta.url).href);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', DUCKDB];
  await npm(install, { cwd: folder, purpose: 'The test reads with DuckDB' });
  const [, program = ''] = programsOfGuide();
  await writeFile(join(folder, 'duck-table.mjs'), program);
  ({ duckTable } = await import(pathToFileURL(join(folder, 'duck-table.mjs')).href));
  notes = await FollowedNotes.start();
}, 600_000);
afterAll(async () => {
  await notes?.close();
  await rm(folder, { recursive: true });
});

test('DuckDB has exactly the data of the entity, as the guide shows, also after restarts', async () => {
  const table = await duckTable(join(folder, 'warehouse.duckdb'), 'notes', {
    id: 'VARCHAR',
    text: 'VARCHAR',
    size: 'INTEGER',
    version: 'INTEGER',
  });
  const before = Array.from({ length: 30 }, (_, at): Step => ({ kind: 'write', note: at, size: at }));
  const during = Array.from({ length: 120 }, (_, at): Step => {
    if (at % 40 === 39) return { kind: 'restart' };
    return at % 7 === 6 ? { kind: 'delete', note: at % 30 } : { kind: 'write', note: at % 45, size: at };
  });
  await notes.follow(table, { before, during }, async () => {
    const found = await table.database.runAndReadAll('SELECT * FROM notes ORDER BY id');
    const expected = (await notes.rows()) as readonly Readonly<Record<string, unknown>>[];
    expect(found.getRowObjectsJson()).toEqual(
      expected.map(({ id, text, size, version }) => ({ id, text, size, version })),
    );
  });
  table.database.closeSync();
}, 300_000);
