import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, defineApplication } from '@lintel/application';
import sales from '@lintel/example-sales';
import { standardEntity, string } from '@lintel/metadata';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import type { Command } from './parse-arguments.ts';
import { runCommand } from './run-command.ts';

let server: TestDatabase;
let folder: string;
let printed: string[];

beforeEach(async () => {
  server = await createTestDatabase('migrate');
  folder = await mkdtemp(join(tmpdir(), 'lintel-migrations-'));
  printed = [];
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await server.drop();
});

const run = (command: Command, application: Application): Promise<0 | 1> =>
  runCommand(command, {
    application,
    url: server.url,
    folder: () => folder,
    now: () => new Date(1_795_238_450_073),
    print: (line) => printed.push(line),
  });

const generate = (name: string): Command => ({ kind: 'generate', name, folder: undefined });

const shop = defineApplication({
  id: 'shop',
  name: 'Shop',
  entities: [standardEntity('shop_Item', { attributes: { sku: string(10).mandatory().unique() } })],
});

test('the migrations of the example application make exactly its model', async () => {
  expect(await run({ kind: 'check' }, sales)).toBe(0);
  expect(await run(generate('nothing'), sales)).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  expect(printed.at(-1)).toContain('Nothing to do');
});

test('the example application is migrated, shown and reverted', async () => {
  const names = (sales.migrations ?? []).map(({ name }) => name);
  expect(await run({ kind: 'run' }, sales)).toBe(0);
  expect(printed).toEqual(expect.arrayContaining(names.map((name) => `ran ${name}`)));
  await run({ kind: 'run' }, sales);
  expect(printed.at(-1)).toBe('The database is up to date.');
  await run({ kind: 'status' }, sales);
  expect(printed.at(-1)).toBe(`executed  ${names.at(-1)}`);
  await run({ kind: 'revert' }, sales);
  expect(printed.at(-1)).toBe(`reverted ${names.at(-1)}`);
});

test('a difference is found by check and written by generate', async () => {
  expect(await run({ kind: 'check' }, shop)).toBe(1);
  expect(printed).toContain('  CREATE SCHEMA "shop"');
  expect(await run(generate('initial'), shop)).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(['1795238450073-initial.ts', 'index.ts']);
  const text = await readFile(join(folder, '1795238450073-initial.ts'), 'utf8');
  expect(text).toContain('CREATE TABLE "shop"."item" (\n  "id" uuid NOT NULL,\n');
  expect(text).not.toContain('"sec"');
  expect(await readFile(join(folder, 'index.ts'), 'utf8')).toContain(`from './1795238450073-initial.ts';`);
});
