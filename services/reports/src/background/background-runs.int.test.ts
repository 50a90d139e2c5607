import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerKeyOf } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createAmqpBus, type EventBus } from '@lintel/events';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import {
  cloneTestDatabase,
  createTestVhost,
  eventually,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
  type TestVhost,
} from '@lintel/testkit';
import type { StoredDocument } from '../files/document-store.ts';
import type { ClaimedRun, NewRun } from '../runs/background-run.ts';
import { createRunMetrics } from '../runs/run-metrics.ts';
import { createRunStore, type RunStore } from './create-run-store.ts';
import { createRunQueue, type RunQueue } from './run-queue.ts';
import { createRunWorker, type ProgressMeter, type RunWorker } from './run-worker.ts';

/** Longer than a machine stands still. */
const LEASE_MS = 60_000;
/** For runs whose lease is lost, or renewed, in a test. */
const SHORT_LEASE_MS = 1_200;
const MAX_ATTEMPTS = 3;
const logger = createLogger({ service: 'reports', destination: { write: () => {} } });

let server: TestDatabase;
let vhost: TestVhost;
let proxy: TcpProxy;
let database: Database;
let store: RunStore;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'report_runs',
  );
  database = createDatabase({
    url: server.url,
    maxConnections: 5,
    statementTimeoutMs: 60_000,
    applicationName: 'report-runs-test',
  });
  store = createRunStore(database);
  vhost = await createTestVhost('report_runs');
  const { hostname, port } = new URL(vhost.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});
afterEach(async () => {
  proxy.restore();
  for (const close of closing.splice(0).reverse()) await close();
  await server.query('DELETE FROM report_run.run');
});
afterAll(async () => {
  await database?.close();
  await proxy?.close();
  await vhost?.drop();
  await server?.drop();
});

const ANNA = callerKeyOf({ kind: 'user', username: 'anna' });
const BERT = callerKeyOf({ kind: 'user', username: 'bert' });
/** A client that has the name of a user. */
const CLIENT = callerKeyOf({ kind: 'client', username: 'anna' });
const newRun = (more: Partial<NewRun> = {}): NewRun => ({
  id: randomUUID(),
  caller: ANNA,
  sessionId: 'session',
  report: { id: randomUUID(), code: 'sales', name: 'Sales' },
  templateCode: 'DEFAULT',
  request: '{"parameters":[]}',
  locale: 'en',
  waitingToken: 'token',
  ...more,
});
const resultOf = (runId: string): StoredDocument => ({
  fileRef: `fs://2026/11/21/${runId}.csv?name=sales.csv`,
  name: 'sales.csv',
  contentType: 'text/csv',
  size: 3,
});
const documentsOf = (removed: string[] = []) => ({
  store: () => Promise.reject(new Error('not used')),
  remove: async (fileRef: string) => void removed.push(fileRef),
});

type Execute = (claimed: ClaimedRun, progress: ProgressMeter, signal: AbortSignal) => Promise<StoredDocument>;

/** A worker process: its own connection to the broker, which the test can cut. */
async function startWorker(
  execute: Execute,
  { cuttable = false, removed = [] as string[], workerStore = store, leaseMs = LEASE_MS } = {},
): Promise<{ queue: RunQueue; worker: RunWorker; bus: EventBus }> {
  const url = new URL(vhost.url);
  if (cuttable) url.port = String(proxy.port);
  const bus = await createAmqpBus({
    urls: [url.href],
    service: 'reports',
    instanceId: randomUUID(),
    clock: { now: () => Date.now() },
    logger,
    retries: { maxAttempts: 3, initialDelayMs: 5, maxDelayMs: 20 },
    publishTimeoutMs: cuttable ? 300 : 30_000,
    drainTimeoutMs: 500,
  });
  const worker = createRunWorker({
    store: workerStore,
    documents: documentsOf(removed),
    executeRun: execute,
    newId: randomUUID,
    logger,
    measured: createRunMetrics(),
    leaseMs,
    maxAttempts: MAX_ATTEMPTS,
  });
  const queue = createRunQueue({
    bus,
    store,
    worker,
    logger,
    clock: { now: () => Date.now() },
    newId: randomUUID,
    concurrency: 1,
    recoveryIntervalMs: 100,
    reannounceAfterMs: 300,
    retentionMs: 60_000,
  });
  await queue.start(Promise.resolve());
  closing.push(
    () => bus.close(),
    () => queue.stop(),
  );
  return { queue, worker, bus };
}

/** Until its lease is lost or the worker stops. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

async function added(more: Partial<NewRun> = {}): Promise<string> {
  const run = newRun(more);
  expect(await store.add(run, 100)).toBe(true);
  return run.id;
}
const ended = (id: string, status: string) =>
  eventually(async () => expect((await store.find(id, ANNA))?.status).toBe(status));

// Asserts contract/mail.md#ended-runs.
test('the end of a run is announced once, for the session of its caller', async () => {
  const announced: unknown[] = [];
  const { queue, bus } = await startWorker(async ({ runId, run }) => {
    if (run.report.name === 'Broken') throw new PlatformError('REPORT_RUN_FAILED', 'secret');
    return resultOf(runId);
  });
  await bus.subscribe({
    queue: { kind: 'replica', service: 'reports' },
    types: ['reports.run.ended.v1'],
    handle: async ({ data }) => void announced.push(data),
  });
  const good = await added({ sessionId: 'one' });
  await queue.announce([good, good]);
  await ended(good, 'SUCCEEDED');
  const bad = await added({ report: { id: randomUUID(), code: undefined, name: 'Broken' } });
  await queue.announce([bad]);
  await ended(bad, 'FAILED');
  await eventually(() => expect(announced).toHaveLength(2));
  expect(announced).toEqual([
    { runId: good, sessionId: 'one', reportName: 'Sales', status: 'SUCCEEDED' },
    { runId: bad, sessionId: 'session', reportName: 'Broken', status: 'FAILED' },
  ]);
});

test('a run is executed once, has its progress, and shows its result only to its user', async () => {
  const seen: unknown[] = [];
  let finish = (): void => {};
  const { queue } = await startWorker(
    async ({ runId, run }, progress) => {
      seen.push(run);
      progress.enter('DATA');
      for (let row = 0; row < 3; row += 1) progress.addRow();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return resultOf(runId);
    },
    // The progress is stored when the lease is renewed: after a quarter of it.
    { leaseMs: LEASE_MS / 5 },
  );
  const run = newRun();
  await store.add(run, 100);
  await queue.announce([run.id, run.id]);
  await eventually(async () =>
    expect(await store.find(run.id, ANNA)).toMatchObject({ status: 'RUNNING', phase: 'DATA', rows: 3 }),
  );
  finish();
  await ended(run.id, 'SUCCEEDED');
  expect(seen).toEqual([run]);
  for (const other of [BERT, CLIENT]) expect(await store.find(run.id, other)).toBeUndefined();
  expect(await store.list(CLIENT, 5)).toEqual([]);
  const found = await store.find(run.id, ANNA);
  expect(found).toMatchObject({ report: run.report, templateCode: 'DEFAULT', result: resultOf(run.id), rows: 3 });
  expect(new Date(found?.finishedAt ?? '') >= new Date(found?.startedAt ?? '')).toBe(true);
  expect(await server.query('SELECT waiting_token, lease_id FROM report_run.run')).toEqual([
    { waiting_token: null, lease_id: null },
  ]);
});

test('a run whose event never reached the broker is found and begun', async () => {
  const id = await added();
  await startWorker(async ({ runId }) => resultOf(runId));
  await ended(id, 'SUCCEEDED');
});

test('a run that fails keeps the error that a client that waits would have received', async () => {
  const { queue } = await startWorker(() => Promise.reject(new PlatformError('REPORT_RUN_ERROR', 'no')));
  const id = await added();
  await queue.announce([id]);
  await ended(id, 'FAILED');
  expect((await store.find(id, ANNA))?.failure).toEqual({ status: 400, error: 'Run report error', details: 'no' });
});

test('a run that needs an unavailable service is begun again, and the last attempt names what is missing', async () => {
  let attempts = 0;
  await startWorker(() => {
    attempts += 1;
    return Promise.reject(new PlatformError('DATA_UNAVAILABLE', 'The data cannot be read now'));
  });
  const id = await added();
  await ended(id, 'FAILED');
  expect(attempts).toBe(MAX_ATTEMPTS);
  expect((await store.find(id, ANNA))?.failure).toMatchObject({
    status: 503,
    details: 'The data cannot be read now',
  });
});

test('the run of a worker that ends abnormally goes to another one, and has only one result', async () => {
  const removed: string[] = [];
  const lost = { ...store, renew: () => Promise.reject(new Error('the process hangs')) };
  let finishFirst = (): void => {};
  const first = await startWorker(
    async ({ runId }) => {
      await new Promise<void>((resolve) => {
        finishFirst = resolve;
      });
      return { ...resultOf(runId), fileRef: 'fs://first' };
    },
    { cuttable: true, removed, workerStore: lost, leaseMs: SHORT_LEASE_MS },
  );
  const id = await added();
  await first.queue.announce([id]);
  await eventually(async () => expect((await store.find(id, ANNA))?.status).toBe('RUNNING'));
  proxy.block();
  await startWorker(async ({ runId }) => resultOf(runId));
  await ended(id, 'SUCCEEDED');
  finishFirst();
  await eventually(() => expect(removed).toEqual(['fs://first']));
  expect((await store.find(id, ANNA))?.result).toEqual(resultOf(id));
});

test('a run that no worker comes to the end of fails, and its event is a dead letter', async () => {
  const killed = { ...store, renew: async () => true, fail: async () => false };
  await startWorker(() => Promise.reject(new Error('killed')), { workerStore: killed, leaseMs: SHORT_LEASE_MS });
  const id = await added();
  await ended(id, 'FAILED');
  expect(await server.query('SELECT attempts FROM report_run.run')).toEqual([{ attempts: MAX_ATTEMPTS }]);
  expect((await store.find(id, ANNA))?.failure).toMatchObject({ status: 500, error: 'Run report error' });
  await eventually(async () => {
    const dead = await vhost.take('reports.dead-letters');
    expect(dead.map((text) => JSON.parse(text).data)).toContainEqual({ runId: id });
  });
});

test('a worker that stops gives its run back, and the attempt does not count', async () => {
  const first = await startWorker((_claimed, _progress, signal) => untilAborted(signal));
  const id = await added();
  await first.queue.announce([id]);
  await eventually(async () => expect((await store.find(id, ANNA))?.status).toBe('RUNNING'));
  await first.queue.stop();
  expect(await server.query('SELECT status, attempts FROM report_run.run')).toEqual([
    { status: 'QUEUED', attempts: 0 },
  ]);
  await startWorker(async ({ runId }) => resultOf(runId));
  await ended(id, 'SUCCEEDED');
});

test('a run that is cancelled is dropped by its worker, wherever that is', async () => {
  let reason: unknown;
  const { queue } = await startWorker(async (_claimed, _progress, signal) => {
    try {
      return await untilAborted(signal);
    } catch (error) {
      reason = error;
      throw error;
    }
  });
  const id = await added();
  await queue.announce([id]);
  await eventually(async () => expect((await store.find(id, ANNA))?.status).toBe('RUNNING'));
  for (const other of [BERT, CLIENT]) expect(await store.cancel(id, other)).toBe('unknown');
  expect(await store.cancel(id, ANNA)).toBe('cancelled');
  await queue.announceCancelled(id);
  await eventually(() => expect(String(reason)).toContain('cancelled'));
  expect(await store.cancel(id, ANNA)).toBe('cancelled');
  expect((await store.find(id, ANNA))?.status).toBe('CANCELLED');
});

test('without the event of a cancellation the worker notices it at the next renewal', async () => {
  let aborted = false;
  const { queue } = await startWorker(
    async (_claimed, _progress, signal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return untilAborted(signal);
    },
    { leaseMs: SHORT_LEASE_MS },
  );
  const id = await added();
  await queue.announce([id]);
  await eventually(async () => expect((await store.find(id, ANNA))?.status).toBe('RUNNING'));
  await store.cancel(id, ANNA);
  await eventually(() => expect(aborted).toBe(true));
});

test('a run that waits is cancelled without having begun, and one that has ended is not', async () => {
  const waiting = await added();
  expect(await store.cancel(waiting, ANNA)).toBe('cancelled');
  expect(await store.claim(waiting, randomUUID(), LEASE_MS, MAX_ATTEMPTS)).toBeUndefined();
  const done = await added();
  const claimed = (await store.claim(done, randomUUID(), LEASE_MS, MAX_ATTEMPTS)) as ClaimedRun;
  await store.succeed(claimed, resultOf(done), 3);
  expect(await store.cancel(done, ANNA)).toBe('finished');
  expect(await store.fail(claimed, { status: 500, error: 'E', details: '' }, 3)).toBe(false);
});

test('a user has only so many unfinished runs', async () => {
  await added();
  await added();
  expect(await store.add(newRun(), 2)).toBe(false);
  expect(await store.add(newRun({ caller: BERT }), 2)).toBe(true);
});

test('what ended long ago is removed, what waits is not', async () => {
  const [done, waiting] = [await added(), await added()];
  await store.cancel(done, ANNA);
  await sleep(20);
  await store.prune(10);
  expect(await store.find(done, ANNA)).toBeUndefined();
  expect(await store.find(waiting, ANNA)).toBeDefined();
});

test('twenty runs and three workers of which one is lost: each run has one result', async () => {
  const results: string[] = [];
  const execute: Execute = async ({ runId }) => {
    await sleep(10);
    results.push(runId);
    return resultOf(runId);
  };
  const lost = {
    ...store,
    renew: () => Promise.reject(new Error('lost')),
    succeed: () => new Promise<never>(() => {}),
  };
  const { queue } = await startWorker(execute);
  await startWorker(execute);
  await startWorker((_claimed, _progress, signal) => untilAborted(signal), {
    cuttable: true,
    workerStore: lost,
    leaseMs: SHORT_LEASE_MS,
  });
  const ids = await Promise.all(Array.from({ length: 20 }, () => added()));
  await queue.announce(ids);
  setTimeout(() => proxy.block(), 100);
  for (const id of ids) await ended(id, 'SUCCEEDED');
  expect(results.toSorted()).toEqual(ids.toSorted());
});
