import type { ProcessReport, SlowStatement } from '@lintel/contracts';
import { createMemoryStore } from '../stores/create-memory-store.ts';
import { createProcessDirectory } from './create-process-directory.ts';

let nowMs: number;
const directory = () => createProcessDirectory(createMemoryStore({ clock: { now: () => nowMs } }));
beforeEach(() => {
  nowMs = 0;
});

const report = (id: string, service = 'data'): ProcessReport => ({
  id,
  service,
  host: 'h',
  processId: 1,
  nodeVersion: '24',
  startedAt: '2026-11-26T08:00:00.000Z',
  reportedAt: '2026-11-26T08:00:00.000Z',
  status: 'ready',
  checks: { database: { status: 'up' } },
  memoryBytes: 1,
});
const statement = (lastAt: string): SlowStatement => ({
  pool: 'lintel-data',
  statement: 'q1',
  text: 'SELECT $1',
  count: 1,
  lastAt,
  lastMs: 1_200,
  maxMs: 1_200,
  traceId: null,
  plan: null,
});

test('processes are listed by service, each with its last report', async () => {
  const processes = directory();
  await processes.report(report('b'));
  await processes.report(report('a'));
  await processes.report(report('z', 'auth'));
  await processes.report({ ...report('a'), status: 'not ready' });
  expect((await processes.list()).map(({ id, status }) => [id, status])).toEqual([
    ['z', 'ready'],
    ['a', 'not ready'],
    ['b', 'ready'],
  ]);
});

// Asserts contract/operations.md#processes.
test('a process that does not report any more is not listed, and one that ends is removed at once', async () => {
  const processes = directory();
  await processes.report(report('a'));
  await processes.report(report('b'));
  await processes.remove('b');
  expect((await processes.list()).map(({ id }) => id)).toEqual(['a']);
  nowMs = 20_001;
  expect(await processes.list()).toEqual([]);
});

test('settings and slow statements are those of their process', async () => {
  const processes = directory();
  const settings = [{ name: 'svc.data.port', value: '8082', secret: false, origin: 'default' }];
  await processes.report(report('a'));
  await processes.report(report('b'));
  await processes.reportSettings('a', settings);
  await processes.reportStatements('a', [statement('2026-11-26T08:00:00.000Z')]);
  await processes.reportStatements('b', [statement('2026-11-26T09:00:00.000Z')]);
  expect([await processes.settingsOf('a'), await processes.settingsOf('b')]).toEqual([settings, undefined]);
  expect((await processes.statements()).map((one) => one.process)).toEqual(['b', 'a']);
});
