import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { run } from '../../src/run.ts';
import { fakeTerminal } from '../fake-terminal.ts';

export type Case = 'shop' | 'library';

/** The model of the shop is where it is served from: what is written here is what the data service is tested with. */
const FOLDERS: Readonly<Record<Case, string>> = {
  shop: '../../../../services/data/test/existing-tables/shop',
  library: './library',
};

const folderOf = (name: Case): string => fileURLToPath(new URL(FOLDERS[name], import.meta.url));

/** An empty database with the tables of a case. */
export async function makeTables(name: Case): Promise<TestDatabase> {
  const database = await createTestDatabase('introspect');
  await database.query(readFileSync(`${folderOf(name)}.sql`, 'utf8'));
  return database;
}

/** The command line of a case. */
export const commandOf = (url: string, name: Case, ...more: readonly string[]): readonly string[] => [
  'introspect',
  `--url=${url}`,
  `--prefix=${name}`,
  ...more,
];

/** The files that are expected, by name. */
export const expectedFiles = (name: Case): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folderOf(name))
      .sort()
      .map((file) => [file, readFileSync(`${folderOf(name)}/${file}`, 'utf8')]),
  );

/** Writes what is expected again, with the server of the tests. */
export async function writeIntrospected(name: Case): Promise<void> {
  const database = await makeTables(name);
  try {
    rmSync(folderOf(name), { recursive: true, force: true });
    mkdirSync(folderOf(name));
    const terminal = fakeTerminal();
    await run(commandOf(database.url, name, `--out=${folderOf(name)}`), terminal);
    process.stdout.write(`${terminal.output()}\n${terminal.notes()}\n`);
  } finally {
    await database.drop();
  }
}
