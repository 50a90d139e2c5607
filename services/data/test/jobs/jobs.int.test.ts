import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@lintel/persistence';
import { startMetrics } from '@lintel/telemetry';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { done, held, jobsApplication, scheduled } from './jobs-application.ts';

const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  ada: { resourceRoles: ['j-notes'] },
  kim: { resourceRoles: ['j-keeper'] },
};

const ID = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let data: DataFixtureOn;
type DataFixtureOn = Omit<DataFixture, 'close'> & { close(): Promise<void> };
beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(jobsApplication.model), 'jobs');
  await database.query(
    `INSERT INTO sec."user" (id, version, username, active) VALUES (gen_random_uuid(), 1, 'writer', true)`,
  );
  await database.query(
    `INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
     VALUES (gen_random_uuid(), 1, 'writer', 'j-notes', 'resource')`,
  );
  data = await startDataOn(database, jobsApplication, USERS);
  await data.service.start();
});
afterAll(async () => {
  await data.close();
  await database.drop();
});
beforeEach(() => {
  done.splice(0);
  held.clear();
});

interface Run {
  readonly state: string;
  readonly retry_count: number;
  readonly retry_limit: number;
  readonly output: { readonly message?: string; readonly progress?: object } | null;
}

const runOf = async (id: string): Promise<Run | undefined> =>
  (await data.query<Run>(`SELECT state, retry_count, retry_limit, output FROM job.job WHERE id = '${id}'`))[0];
const runsOf = (job: string) =>
  data.query<Run>(`SELECT state, retry_count, retry_limit, output FROM job.job WHERE name = '${job}'`);

const queue = (job: string, args: object = {}, more: object = {}): Promise<string> => queueOn(data, job, args, more);

async function queueOn(fixture: DataFixtureOn, job: string, args: object = {}, more: object = {}): Promise<string> {
  const response = await fixture.send('admin', 'POST', '/services/j_Queue/queue', { job, args, ...more });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.text;
}

const cancel = async (job: string, run: object): Promise<string> =>
  (await data.send('admin', 'POST', '/services/j_Queue/cancel', { job, ...run })).text;

/** Polls until a value is there: what other processes and the library do has no event in the tests. */
async function until<T>(read: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 100_000; ; ) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end)
      throw new Error(`Nothing came: ${JSON.stringify([done, data.errors.map(String), data.warnings])}`);
    await sleep(50);
  }
}

const ended = (id: string): Promise<Run> =>
  until(async () => {
    const run = await runOf(id);
    return run !== undefined && ['completed', 'failed', 'cancelled'].includes(run.state) && run;
  });

const create = (text: string, headers: Record<string, string> = {}) =>
  data.send('admin', 'POST', '/entities/j_Note', { text }, headers);

// Asserts contract/jobs.md#enqueue.
test('a run that a listener queues is run after the commit of its write', async () => {
  expect((await create('queue')).status).toBe(201);
  await until(async () => done.includes('write queued'));
  expect(await data.query(`SELECT text, created_by FROM j.note WHERE text = 'queued'`)).toEqual([
    { text: 'queued', created_by: 'job write' },
  ]);
});

// Asserts contract/jobs.md#enqueue.
test('a refused write, a failed transaction and a rehearsal queue nothing', async () => {
  const before = await runsOf('write');
  expect((await create('refused')).status).toBe(400);
  expect((await data.send('admin', 'POST', '/services/j_Queue/fail', {})).status).toBe(400);
  expect((await create('queue', { prefer: 'tx=rollback' })).status).toBe(201);
  expect(await runsOf('write')).toHaveLength(before.length);
});

// Asserts contract/jobs.md#enqueue.
test('a key is one run, however often it is queued', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => queue('write', { text: 'once' }, { key: 'k' })));
  expect(new Set(ids).size).toBe(1);
  await ended(ids[0] ?? '');
  expect(await queue('write', { text: 'once' }, { key: 'k' })).toBe(ids[0]);
  expect(done).toEqual(['write once']);
});

// Asserts contract/jobs.md#rights.
test('a run has the rights of its user, or of the roles of its job', async () => {
  expect((await ended(await queue('as-user'))).state).toBe('completed');
  expect(await data.query(`SELECT created_by FROM j.note WHERE text = 'by a user'`)).toEqual([
    { created_by: 'writer' },
  ]);
  const refused = await ended(await queue('too-much'));
  expect(refused).toMatchObject({
    state: 'failed',
    output: { message: expect.stringContaining('ACCESS_READ_DENIED:') },
  });
});

// Asserts contract/jobs.md#rights.
test('a run fails with a sentence if there is no such user', async () => {
  const run = await ended(await queue('nobody'));
  expect(run).toMatchObject({ state: 'failed', output: { message: expect.stringContaining('no active user nobody') } });
});

// Asserts contract/jobs.md#attempts.
test('a failed run is tried again, and what it threw is only in the log', async () => {
  const id = await queue('flaky');
  await until(async () => (await runOf(id))?.state === 'retry');
  expect((await runOf(id))?.output?.message).not.toContain('secret');
  await data.query(`UPDATE job.job SET start_after = now() WHERE id = '${id}'`);
  expect(await ended(id)).toMatchObject({ state: 'completed', retry_count: 1 });
  expect(done).toEqual(['flaky 1', 'flaky 2']);
});

// Asserts contract/jobs.md#attempts.
test('an attempt that takes too long is aborted and has failed', async () => {
  const run = await ended(await queue('slow'));
  expect(run).toMatchObject({ state: 'failed', output: { message: expect.stringContaining('exceeded 1s') } });
});

// Asserts contract/jobs.md#workers.
test('a run that takes longer than its heartbeats ends in its first attempt', async () => {
  expect(await ended(await queue('steps', { name: 'long' }))).toMatchObject({ state: 'completed', retry_count: 0 });
});

// Asserts contract/jobs.md#progress.
test('a run tells how far it is while it is active and afterwards', async () => {
  const id = await queue('steps', { name: 'a' });
  await until(async () => (await runOf(id))?.output?.progress !== undefined);
  expect(await ended(id)).toMatchObject({ state: 'completed', output: { progress: { done: 3, of: 3 } } });
});

// Asserts contract/jobs.md#workers.
test('two processes run each run once, and a job without overlap one run after the other', async () => {
  const other = await startDataOn(database, jobsApplication, USERS);
  await other.service.start();
  try {
    const single = await Promise.all(['a', 'b', 'c', 'd'].map((name) => queue('steps', { name })));
    const many = await Promise.all(Array.from({ length: 40 }, (_, at) => queue('write', { text: `w${at}` })));
    await Promise.all([...single, ...many].map(ended));
  } finally {
    await other.close();
  }
  const steps = done.filter((text) => !text.startsWith('write'));
  expect(steps.filter((_, at) => at % 2 === 0).map((text) => text.replace('begin', 'end'))).toEqual(
    steps.filter((_, at) => at % 2 === 1),
  );
  const writes = done.filter((text) => text.startsWith('write'));
  expect([writes.length, new Set(writes).size]).toEqual([40, 40]);
});

/** Queues runs of `mixed` at once; the first `long` ones take five seconds, the others no time. */
const queueMixed = (count: number, long = 0) =>
  data.query<{ id: string }>(
    `INSERT INTO job.job (name, data, policy, retry_limit, retry_delay, heartbeat_seconds)
     SELECT 'mixed', CASE WHEN n <= ${long} THEN '{"args":{"name":"long"}}' ELSE '{}' END::jsonb, 'standard', 2, 1, 30
     FROM generate_series(1, ${count}) n RETURNING id`,
  );
const countMixed = async (where: string) => {
  const [row] = await data.query<{ n: string }>(
    `SELECT count(*)::int AS n FROM job.job WHERE name = 'mixed' AND ${where}`,
  );
  return Number(row?.n);
};

// Asserts contract/jobs.md#workers.
test('short runs are taken together, and a long one keeps none of them waiting', async () => {
  await queueMixed(500);
  await until(async () => (await countMixed(`state = 'completed'`)) === 500);
  held.add('long');
  await queueMixed(100, 2);
  await until(async () => (await countMixed(`state = 'completed'`)) === 598);
  expect(done).toEqual(['begin long', 'begin long']);
  held.clear();
  await until(async () => (await countMixed(`state = 'completed'`)) === 600);
  expect(await countMixed('retry_count > 0')).toBe(0);
});

// Asserts contract/jobs.md#workers.
test('runs that end while the database is away have ended once it is back', async () => {
  const server = createClient(Object.assign(new URL(database.url), { pathname: 'postgres' }).href, 'jobs-test');
  await server.connect();
  const { pathname } = new URL(database.url);
  const admit = (permitted: boolean) =>
    server.query(`ALTER DATABASE ${JSON.stringify(pathname.slice(1))} ALLOW_CONNECTIONS ${permitted}`);
  held.add('long');
  await queueMixed(1, 1);
  await until(async () => done.includes('begin long'));
  await admit(false);
  await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [pathname.slice(1)]);
  held.clear();
  await until(async () => done.includes('end long'));
  await sleep(500);
  await admit(true);
  await server.end();
  await until(async () => (await countMixed(`state = 'completed'`)) === 601);
  expect([done, await countMixed('retry_count > 0')]).toEqual([['begin long', 'end long'], 0]);
});

// Asserts contract/jobs.md#workers.
test('runs with a greater priority start first, and runs of a later time wait', async () => {
  held.add('first');
  const holding = await queue('steps', { name: 'first' });
  await until(async () => done.includes('begin first'));
  const low = await queue('steps', { name: 'low' });
  const high = await queue('steps', { name: 'high' }, { priority: 5 });
  const runAt = new Date(Date.now() + 3_600_000).toISOString();
  const late = await data.send('admin', 'POST', '/services/j_Queue/late', { runAt });
  held.clear();
  await Promise.all([holding, low, high].map(ended));
  expect(done.filter((text) => text.startsWith('begin'))).toEqual(['begin first', 'begin high', 'begin low']);
  expect(await runOf(late.text)).toMatchObject({ state: 'created' });
});

// Asserts contract/jobs.md#workers.
test('a run that the end of its process cuts is run again, and does not use up a retry', async () => {
  const id = await queue('once', { name: 'endless' });
  await until(async () => done.includes('begin endless'));
  await data.close();
  data = await startDataOn(database, jobsApplication, USERS);
  expect(await runOf(id)).toMatchObject({ state: 'retry' });
  expect(done).toContain('end endless');
  await data.query(`UPDATE job.job SET data = '{"args":{"name":"again"}}', start_after = now() WHERE id = '${id}'`);
  await data.service.start();
  expect(await ended(id)).toMatchObject({ state: 'completed', retry_count: 1, retry_limit: 1 });
});

// Asserts contract/jobs.md#workers.
test('an active run that ends within the time of the stop is completed', async () => {
  held.add('long');
  const id = await queue('once', { name: 'long' });
  await until(async () => done.includes('begin long'));
  const closing = data.close();
  held.clear();
  await closing;
  data = await startDataOn(database, jobsApplication, USERS);
  await data.service.start();
  expect(await runOf(id)).toMatchObject({ state: 'completed', retry_count: 0 });
});

// Asserts contract/jobs.md#cancelling.
test('a run that has not begun is removed, and its key is free again', async () => {
  const runAt = new Date(Date.now() + 3_600_000).toISOString();
  const late = (await data.send('admin', 'POST', '/services/j_Queue/late', { runAt })).text;
  expect(await cancel('write', { id: late })).toBe('true');
  expect([await runOf(late), await cancel('write', { id: late })]).toEqual([undefined, 'false']);
  held.add('holding');
  const holding = await queue('steps', { name: 'holding' });
  await until(async () => done.includes('begin holding'));
  const waiting = await queue('steps', { name: 'not' }, { key: 'again' });
  expect(await cancel('steps', { key: 'again' })).toBe('true');
  expect(await queue('steps', { name: 'yes' }, { key: 'again' })).toBe(waiting);
  held.clear();
  await Promise.all([holding, waiting].map(ended));
  expect(done.filter((text) => text.startsWith('begin'))).toEqual(['begin holding', 'begin yes']);
});

// Asserts contract/jobs.md#cancelling.
test('an active run that is cancelled is aborted, and is not tried again', async () => {
  const id = await queue('steps', { name: 'endless' });
  await until(async () => done.includes('begin endless'));
  expect(await cancel('steps', { id })).toBe('true');
  await until(async () => done.includes('end endless'));
  await sleep(100);
  expect(await runOf(id)).toMatchObject({ state: 'cancelled', retry_count: 0 });
});

// Asserts contract/jobs.md#observing.
test('a run continues the trace of the request that queued it', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const response = await data.send('admin', 'POST', '/services/j_Queue/queue', { job: 'traced', args: {} }, headers);
  await ended(response.text);
  expect(done).toEqual([`trace ${traceId}`]);
});

// Asserts contract/jobs.md#observing.
test('the runs of a job and the durations of its attempts are measured', async () => {
  const running = await startMetrics('lintel-jobs-test');
  const measured = await startDataOn(database, jobsApplication, USERS, {}, undefined, { metrics: running.metrics });
  await data.close();
  await measured.service.start();
  try {
    await ended(await queueOn(measured, 'mixed'));
    await ended(await queueOn(measured, 'refused'));
    await data.query(`UPDATE job.queue SET queued_count = 3 WHERE name = 'mixed'`);
    const text = await running.render();
    const system = 'messaging_system_name="pg-boss"';
    for (const name of ['mixed', 'refused'])
      expect(text).toMatch(
        new RegExp(
          `messaging_process_duration_seconds_count\\{.*${system}.*messaging_destination_name="${name}".*\\} [1-9]`,
        ),
      );
    expect(text).toContain('error_type="ValidationError"');
    expect(text).toContain('lintel_jobs_runs{queue="mixed",state="queued"} 3');
  } finally {
    await measured.close();
    await running.close();
    data = await startDataOn(database, jobsApplication, USERS);
    await data.service.start();
  }
});

const operate = async (method: string, path: string, user = 'admin') => {
  const { status, text } = await data.send(user, method, `/operations/${path}`);
  return { status, body: text === '' ? undefined : JSON.parse(text) };
};

// Asserts contract/operations.md#jobs.
test('operators read the jobs, and page through the runs without arguments', async () => {
  const { body: jobs } = await operate('GET', 'jobs');
  expect(jobs.find((one: { name: string }) => one.name === 'nightly')).toEqual({
    name: 'nightly',
    schedule: '30 2 * * *',
    timeZone: 'Europe/Berlin',
    next: '2026-11-22T01:30:00.000Z',
    paused: false,
  });
  expect(jobs.find((one: { name: string }) => one.name === 'write')).toMatchObject({ schedule: null, next: null });
  const id = await queue('write', { text: 'hidden from operators' });
  await ended(id);
  const { body: run } = await operate('GET', `job-runs/${id}`);
  expect(run).toMatchObject({ id, job: 'write', state: 'completed', attempts: 1, error: null, progress: null });
  const { body: all } = await operate('GET', 'job-runs?job=write&limit=200');
  const pages: unknown[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await operate('GET', `job-runs?job=write&limit=7${next === '' ? '' : `&after=${next}`}`);
    pages.push(...body.runs);
    next = body.next;
  }
  expect(pages).toEqual(all.runs);
  expect(JSON.stringify(all)).not.toContain('hidden from operators');
  const { body: failed } = await operate('GET', 'job-runs?state=failed');
  expect(new Set(failed.runs.map((one: { state: string }) => one.state))).toEqual(new Set(['failed']));
});

// Asserts contract/operations.md#jobs and contract/jobs.md#attempts.
test('operators see the kind of an error, and no text of it', async () => {
  const id = await queue('refused', { text: 'hidden from operators' });
  expect((await ended(id)).state).toBe('failed');
  const { body } = await operate('GET', `job-runs/${id}`);
  expect(body.error).toBe('ValidationError: the log has it, with the id of the run');
  for (const path of [`job-runs/${id}`, 'job-runs?job=refused'])
    expect(JSON.stringify(await operate('GET', path))).not.toContain('hidden from operators');
  expect((await operate('POST', `job-runs/${id}/retry`)).body).toBeUndefined();
});

// Asserts contract/operations.md#jobs and contract/roles.md#specific.
test('for the permissions of one job, others and their runs do not exist', async () => {
  const [own, other] = [await queue('write', { text: 'own' }), await queue('refused')];
  await Promise.all([own, other].map(ended));
  const names = (body: { name?: string; job?: string }[]) => [...new Set(body.map(({ name, job }) => name ?? job))];
  expect(names((await operate('GET', 'jobs', 'kim')).body)).toEqual(['write']);
  expect(names((await operate('GET', 'job-runs?limit=200', 'kim')).body.runs)).toEqual(['write']);
  expect((await operate('GET', `job-runs/${own}`, 'kim')).status).toBe(200);
  expect((await operate('POST', 'jobs/write/run', 'kim')).status).toBe(201);
  for (const path of [`job-runs/${other}`, 'job-runs?job=refused'])
    expect((await operate('GET', path, 'kim')).body).toEqual(
      (await operate('GET', path.replace(/[^/=]+$/, ID), 'kim')).body,
    );
  for (const path of [
    'jobs/refused/run',
    'jobs/refused/pause',
    'jobs/refused/resume',
    `job-runs/${other}/retry`,
    `job-runs/${other}/cancel`,
  ])
    expect((await operate('POST', path, 'kim')).status).toBe(404);
  const { specifics } = JSON.parse((await data.send('kim', 'GET', '/permissions')).text);
  const ofJobs = specifics.filter(
    ({ target, value }: { target: string; value: number }) => /^jobs\./.test(target) && value,
  );
  expect(ofJobs.map(({ target }: { target: string }) => target)).toEqual(['jobs.read.write', 'jobs.manage.write']);
  const document = JSON.parse((await data.send('kim', 'GET', '/docs/openapi.json?for=me')).text);
  expect(Object.keys(document.paths).filter((path) => path.includes('/job')).length).toBe(8);
});

// Asserts contract/operations.md#jobs.
test('operators run a job now, cancel its run, and queue it again', async () => {
  const { status, body } = await operate('POST', 'jobs/write/run');
  expect([status, (await ended(body.id)).state]).toEqual([201, 'completed']);
  expect((await operate('POST', `job-runs/${body.id}/cancel`)).status).toBe(409);
  expect((await operate('POST', `job-runs/${body.id}/retry`)).status).toBe(409);
  const id = await queue('steps', { name: 'endless' });
  await until(async () => done.includes('begin endless'));
  expect((await operate('POST', `job-runs/${id}/cancel`)).status).toBe(204);
  await until(async () => done.includes('end endless'));
  await data.query(`UPDATE job.job SET data = '{"args":{"name":"b"}}' WHERE id = '${id}'`);
  expect((await operate('POST', `job-runs/${id}/retry`)).status).toBe(204);
  expect(await ended(id)).toMatchObject({ state: 'completed' });
});

// Asserts contract/operations.md#jobs.
test.each([
  ['jobs/write/run', '{"args":{"text":"ignored"}}'],
  ['jobs/write/run', 'null'],
  ['jobs/write/pause', '{}'],
  ['jobs/write/resume', 'null'],
  [`job-runs/${ID}/cancel`, '{}'],
  [`job-runs/${ID}/retry`, '{"runAt":"2030-01-01T00:00:00Z"}'],
])('POST %s with the body %s returns 400 and queues nothing', async (path, body) => {
  const before = await runsOf('write');
  const { status, text } = await data.send('admin', 'POST', `/operations/${path}`, JSON.parse(body));
  expect([status, text]).toEqual([400, expect.stringContaining('The body must be empty')]);
  expect(await runsOf('write')).toHaveLength(before.length);
});

// Asserts contract/operations.md#jobs and #permissions.
test.each([
  ['GET', 'job-runs?state=done', 400],
  ['GET', 'job-runs?limit=201', 400],
  ['GET', 'job-runs?after=1', 400],
  ['GET', `job-runs?after=99999999999999999.${ID}`, 200],
  ['GET', `job-runs?after=999999999999999999.${ID}`, 400],
  ['GET', `job-runs?after=1.${ID}&after=1.${ID}`, 400],
  ['GET', `job-runs?after=1.${'-'.repeat(36)}`, 400],
  ['GET', 'job-runs?state=failed&state=failed', 400],
  ['GET', 'job-runs?job=write&job=write', 400],
  ['GET', 'job-runs?job=%00', 400],
  ['GET', 'job-runs?job=none', 404],
  ['GET', 'job-runs/none', 404],
  ['GET', `job-runs/${ID}`, 404],
  ['POST', 'jobs/none/run', 404],
  ['POST', 'jobs/none/pause', 404],
  ['POST', 'jobs/none/resume', 404],
])('%s %s returns %i to operators, and 403 to others', async (method, path, status) => {
  expect((await operate(method, path)).status).toBe(status);
  expect((await operate(method, path, 'ada')).status).toBe(403);
});

// Asserts contract/jobs.md#schedules.
test('a scheduled time at which no process ran is made up for once, unless the job skips it', async () => {
  await data.close();
  scheduled.splice(0);
  await data.query(`UPDATE job.schedule SET created_on = now() - interval '4 days'`);
  await data.query(`UPDATE job.version SET cron_on = now() - interval '3 days'`);
  data = await startDataOn(database, jobsApplication, USERS);
  await data.service.start();
  await until(async () => scheduled.includes('nightly'));
  await sleep(1_500);
  expect(scheduled).toEqual(['nightly']);
});

// Asserts contract/jobs.md#schedules.
test('a schedule that the application no longer has is removed at the start', async () => {
  await data.query(`INSERT INTO job.schedule (name, cron, timezone) VALUES ('flaky', '* * * * *', 'UTC')`);
  await data.close();
  data = await startDataOn(database, jobsApplication, USERS);
  await data.service.start();
  expect(await data.query('SELECT name, timezone FROM job.schedule ORDER BY name')).toEqual([
    { name: 'nightly', timezone: 'Europe/Berlin' },
    { name: 'skipped', timezone: 'UTC' },
  ]);
});

test('a login without DDL queues and runs jobs', async () => {
  const role = `jobs_${Date.now()}`;
  await data.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  const schemas = await data.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema|^public'`,
  );
  for (const { name } of schemas) {
    await data.query(`GRANT USAGE ON SCHEMA ${name} TO ${role}`);
    await data.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO ${role}`);
    await data.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${name} TO ${role}`);
    await data.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${name} TO ${role}`);
  }
  await data.close();
  const url = new URL(database.url);
  Object.assign(url, { username: role, password: 'x' });
  data = await startDataOn({ ...database, url: url.href }, jobsApplication, USERS);
  await data.service.start();
  expect(await ended(await queue('write', { text: 'limited' }))).toMatchObject({ state: 'completed' });
  await data.close();
  expect(data.errors).toEqual([]);
  await data.query(`DROP OWNED BY ${role}`);
  await data.query(`DROP ROLE ${role}`);
  data = await startDataOn(database, jobsApplication, USERS);
});

// Asserts contract/jobs.md#enqueue.
test('arguments that the database cannot store are refused, and nothing is queued', async () => {
  const before = await runsOf('write');
  for (const [text, message] of [
    ['a\0', 'A text contains a character that cannot be stored'],
    ['a\ud800', 'A value is not valid for its attribute'],
  ]) {
    const body = { job: 'write', args: { text } };
    const { status, json } = await data.send('admin', 'POST', '/services/j_Queue/queue', body);
    expect([status, json()]).toEqual([400, [expect.objectContaining({ message })]]);
  }
  expect(await runsOf('write')).toEqual(before);
});

// Asserts contract/imports.md#refusals.
test('a row whose listener queues a run that the database cannot store is refused alone', async () => {
  const body = 'text\nfirst row\ncut 😀\nlast row\n';
  const headers = { 'content-type': 'text/csv' };
  const { status, text } = await data.send('admin', 'POST', '/imports/j_Note?refused=skip', body, headers);
  expect([status, text]).toEqual([200, expect.stringContaining('"created":2')]);
  expect(JSON.parse(text)).toMatchObject({ refused: 1, errors: [{ row: 2 }] });
  const all = await data.send('admin', 'POST', '/imports/j_Note', body, headers);
  expect([all.status, all.json().errors]).toEqual([400, [expect.objectContaining({ row: 2 })]]);
});
