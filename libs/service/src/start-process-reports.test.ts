import { createMemoryStore, createProcessDirectory } from '@lintel/cache';
import { startProcessReports } from './start-process-reports.ts';

const NOW = Date.parse('2026-11-26T08:00:00.000Z');
const clock = { now: () => NOW };
const SETTING = { name: 'svc.data.port', value: '8082', secret: false, origin: 'default' };
const STATEMENT = {
  pool: 'lintel-data',
  statement: 'q1',
  text: 'SELECT $1',
  count: 1,
  lastAt: '2026-11-26T08:00:00.000Z',
  lastMs: 1_200,
  maxMs: 1_200,
  traceId: null,
  plan: null,
};

function start(change: Partial<Parameters<typeof startProcessReports>[0]> = {}) {
  const warnings: string[] = [];
  const processes = createProcessDirectory(createMemoryStore({ clock }));
  const options = {
    service: 'data',
    processes,
    readiness: { database: () => true },
    settings: () => [SETTING],
    clock,
    delayMs: 0,
    logger: { warn: (_fields: object, message?: string) => void warnings.push(message ?? '') },
    ...change,
  };
  return { processes: options.processes, warnings, reports: startProcessReports(options) };
}

test('a process is listed with its checks, settings and slow statements until it ends', async () => {
  const { processes, reports } = start({ slowStatements: () => [STATEMENT] });
  await reports.first;
  const [report] = await processes.list();
  expect(report).toMatchObject({
    service: 'data',
    status: 'ready',
    checks: { database: { status: 'up' } },
    processId: process.pid,
    startedAt: '2026-11-26T08:00:00.000Z',
  });
  expect(await processes.settingsOf(report?.id ?? '')).toEqual([SETTING]);
  expect(await processes.statements()).toEqual([{ ...STATEMENT, process: report?.id }]);
  await reports.close();
  expect(await processes.list()).toEqual([]);
});

// Asserts contract/operations.md#processes.
test.each([
  ['down', { database: () => false }, 'not ready'],
  ['degraded', { broker: () => ({ degraded: 'no connection' }) }, 'degraded'],
])('a check that is %s decides the status', async (_status, readiness, expected) => {
  const { processes, reports } = start({ readiness });
  await reports.first;
  expect((await processes.list()).map(({ status }) => status)).toEqual([expected]);
  await reports.close();
});

test('a store that is unavailable stops nothing and is logged once', async () => {
  const broken = createProcessDirectory(createMemoryStore({ clock }));
  const refuse = () => Promise.reject(new Error('no Redis'));
  const { warnings, reports } = start({ processes: { ...broken, report: refuse, remove: refuse }, intervalMs: 1 });
  await reports.first;
  await reports.close();
  expect(warnings).toEqual(['the state of this process cannot be reported']);
});

test('a process that ends before its first report is not listed', async () => {
  const { processes, reports } = start({ delayMs: 3_600_000 });
  await reports.close();
  await reports.first;
  expect(await processes.list()).toEqual([]);
});
