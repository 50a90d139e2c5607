import { defineApplication, job } from '@lintel/application';
import { createDatabase, type Database, storeJobQueue } from '@lintel/persistence';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { queueDueTimes, storeSchedulePositions } from '../../src/jobs/queue-due-times.ts';
import { startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';

const as = { resourceRoles: [] };
const ran: string[] = [];
const hourly = job('hourly', { as, schedule: '0 * * * *', missed: 'all', overlap: true }, ({ run }) => {
  ran.push(run.due?.toISOString() ?? 'none');
});
const minutely = job('minutely', { as, schedule: '* * * * *', missed: 'all' }, () => {});
const berlin = job('berlin', { as, schedule: '30 * * * *', timeZone: 'Europe/Berlin', missed: 'all' }, () => {});
const jobs = [hourly, minutely, berlin];
const application = defineApplication({ id: 'e', name: 'Every time', entities: [], jobs });

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await cloneTestDatabase(schemaOf(application.model), 'every-time');
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 4,
    statementTimeoutMs: 60_000,
    applicationName: 'every-time-test',
  });
  for (const { name, options } of jobs) await storeJobQueue(database, { name, ...options });
  await storeSchedulePositions(database, jobs);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await testDatabase.query('DELETE FROM job.job');
  await testDatabase.query('UPDATE job.queue SET scheduled_until = job.job_now()');
});

const position = (name: string, value: string) =>
  testDatabase.query(`UPDATE job.queue SET scheduled_until = ${value} WHERE name = '${name}'`);
const dueTimesOf = async (name: string): Promise<readonly string[]> =>
  (
    await testDatabase.query<{ due: string }>(
      `SELECT data->>'due' AS due FROM job.job WHERE name = '${name}' ORDER BY data->>'due'`,
    )
  ).map(({ due }) => due);
const hoursAgo = async (count: number): Promise<readonly string[]> =>
  (
    await testDatabase.query<{ due: string }>(
      `SELECT to_char((date_trunc('hour', job.job_now()) - n * interval '1 hour') AT TIME ZONE 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS".000Z"') AS due FROM generate_series(0, ${count - 1}) n ORDER BY due`,
    )
  ).map(({ due }) => due);

// Asserts contract/jobs.md#schedules.
test('each missed time is queued once, by whichever of several schedulers', async () => {
  await position('hourly', `date_trunc('hour', job.job_now()) - interval '5 hours'`);
  await Promise.all([1, 2, 3].map(() => queueDueTimes(database, jobs)));
  expect(await dueTimesOf('hourly')).toEqual(await hoursAgo(5));
  await queueDueTimes(database, jobs);
  expect(await dueTimesOf('hourly')).toHaveLength(5);
});

// Asserts contract/jobs.md#pausing and #schedules.
test('the times of a pause are queued after it', async () => {
  await position('hourly', `date_trunc('hour', job.job_now()) - interval '3 hours'`);
  const setPaused = (value: string) =>
    testDatabase.query(`UPDATE job.queue SET paused_at = ${value} WHERE name = 'hourly'`);
  await setPaused('job.job_now()');
  expect([await queueDueTimes(database, jobs), await dueTimesOf('hourly')]).toEqual([[], []]);
  await setPaused('NULL');
  await queueDueTimes(database, jobs);
  expect(await dueTimesOf('hourly')).toEqual(await hoursAgo(3));
});

// Asserts contract/jobs.md#schedules.
test('times after a clock that went back are not queued again, and none is queued before they come', async () => {
  await position('hourly', `job.job_now() + interval '2 hours'`);
  expect(await queueDueTimes(database, jobs)).toEqual([]);
  expect(await dueTimesOf('hourly')).toEqual([]);
});

// Asserts contract/jobs.md#schedules.
test('at most 1,000 times are queued together, the others after them, and none that is older than 30 days', async () => {
  await position('minutely', `date_trunc('minute', job.job_now()) - interval '1 year'`);
  const [before] = await testDatabase.query<{ now: string }>('SELECT job.job_now()::text AS now');
  await queueDueTimes(database, jobs);
  const first = await dueTimesOf('minutely');
  expect(first).toHaveLength(1_000);
  const [row] = await testDatabase.query<{ age: string }>(
    `SELECT extract(epoch FROM '${before?.now}'::timestamptz - '${first[0]}'::timestamptz) / 86400 AS age`,
  );
  expect(Number(row?.age)).toBeLessThanOrEqual(30);
  expect(Number(row?.age)).toBeGreaterThan(29.9);
  await queueDueTimes(database, jobs);
  expect(new Set(await dueTimesOf('minutely')).size).toBe(2_000);
});

// Asserts contract/jobs.md#schedules.
test('a job begins with the times after its first declaration, and ends with its schedule', async () => {
  const positions = async () =>
    (
      await testDatabase.query<{ name: string }>(
        'SELECT name FROM job.queue WHERE scheduled_until IS NOT NULL ORDER BY name',
      )
    ).map(({ name }) => name);
  const once = { ...minutely, options: { ...minutely.options, missed: 'once' as const } };
  await storeSchedulePositions(database, [hourly, berlin, once]);
  expect(await positions()).toEqual(['berlin', 'hourly']);
  await storeSchedulePositions(database, jobs);
  expect(await positions()).toEqual(['berlin', 'hourly', 'minutely']);
  expect(await queueDueTimes(database, [minutely])).toEqual([]);
});

// Asserts contract/jobs.md#workers.
test('a service with svc.jobs.enabled=false leaves all runs to others', async () => {
  await position('hourly', `date_trunc('hour', job.job_now()) - interval '3 hours'`);
  const data = await startDataOn(testDatabase, application, {}, { 'svc.jobs.enabled': 'false' });
  await data.service.start();
  await data.close();
  expect(await dueTimesOf('hourly')).toEqual([]);
});

// Asserts contract/jobs.md#schedules.
test('a service that was away runs each missed time, with the time', async () => {
  await position('hourly', `date_trunc('hour', job.job_now()) - interval '3 hours'`);
  const data = await startDataOn(testDatabase, application, {});
  await data.service.start();
  try {
    while (ran.length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    await data.close();
  }
  expect([...ran].sort()).toEqual(await hoursAgo(3));
  expect(await testDatabase.query('SELECT name FROM job.schedule')).toEqual([]);
});
