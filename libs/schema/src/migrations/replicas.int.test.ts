import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import type { SchemaMigration } from './schema-migration.ts';

const PROCESS = fileURLToPath(new URL('../../test/migrate-process.ts', import.meta.url));
const PLATFORM = PLATFORM_MIGRATIONS.map(({ name }) => name);

let server: TestDatabase;
let children: ChildProcess[];

beforeEach(async () => {
  server = await createTestDatabase('replicas');
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.drop();
});

/** A process that migrates; `messages` grows with what it sends. */
function replica(migrations: readonly SchemaMigration[]) {
  const child = fork(PROCESS, [server.url, JSON.stringify(migrations)], { execArgv: ['--conditions=lintel-source'] });
  children.push(child);
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  return { child, messages, ended: once(child, 'exit') };
}

/** Processes take seconds to start, and many where the machine has much to do. */
const STARTING = { timeoutMs: 50_000 };

const CREATE = { name: '1795000000000-create', up: ['CREATE TABLE public.thing (id int)'], down: [] };
const SLOW = {
  name: '1795000000001-slow',
  up: ['INSERT INTO public.thing VALUES (1)', 'SELECT pg_sleep(100)', 'INSERT INTO public.thing VALUES (2)'],
  down: [],
};
const QUICK = { ...SLOW, up: ['INSERT INTO public.thing VALUES (1)', 'INSERT INTO public.thing VALUES (2)'] };

test('of processes that start at once one migrates and the others wait for it', async () => {
  const pause = { name: '1795000000001-pause', up: ['SELECT pg_sleep(1)'], down: [] };
  const replicas = Array.from({ length: 4 }, () => replica([CREATE, pause]));
  const codes = await Promise.all(replicas.map(({ ended }) => ended));
  expect(codes).toEqual(Array(4).fill([0, null]));
  const results = replicas.map(({ messages }) => messages.at(-1) as string[]);
  expect(results.filter((names) => names.length > 0)).toEqual([[...PLATFORM, CREATE.name, pause.name]]);
});

test('what a killed process had begun is undone at once, and the one that waits does it', async () => {
  const first = replica([CREATE, SLOW]);
  await eventually(async () => {
    const running = await server.query(`SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(100)'`);
    expect(running).toHaveLength(1);
  }, STARTING);
  const second = replica([CREATE, QUICK]);
  await eventually(async () => expect(second.messages).toContain('waiting'), STARTING);
  first.child.kill('SIGKILL');
  expect(await second.ended).toEqual([0, null]);
  expect(second.messages.at(-1)).toEqual([SLOW.name]);
  expect(await server.query('SELECT id FROM public.thing ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
}, 150_000);
