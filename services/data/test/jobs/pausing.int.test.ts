import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { done, held, jobsApplication } from './jobs-application.ts';

const USERS = { admin: { resourceRoles: ['system-full-access'] } };

let database: TestDatabase;
let data: Pick<DataFixture, 'send' | 'service'> & { close(): Promise<void> };
let other: ChildProcess;

const start = async () => {
  data = await startDataOn(database, jobsApplication, USERS);
  await data.service.start();
};
beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(jobsApplication.model), 'pausing');
  await start();
  other = fork(new URL('jobs-process.ts', import.meta.url), [database.url], {
    execArgv: ['--conditions=lintel-source', '--no-warnings'],
  });
  await once(other, 'message');
});
afterAll(async () => {
  other.kill('SIGKILL');
  await data.close();
  await database.drop();
});

const queue = async (job: string, args: object = {}): Promise<string> =>
  (await data.send('admin', 'POST', '/services/j_Queue/queue', { job, args })).text;
const change = async (job: string, action: 'pause' | 'resume') => {
  for (const _ of [1, 2])
    expect((await data.send('admin', 'POST', `/operations/jobs/${job}/${action}`)).status).toBe(204);
};
const stateOf = async (id: string) =>
  (await database.query<{ state: string }>(`SELECT state FROM job.job WHERE id = '${id}'`))[0]?.state;
const statesOf = async (job: string) =>
  (await database.query<{ state: string }>(`SELECT state FROM job.job WHERE name = '${job}'`)).map(
    ({ state }) => state,
  );
const completed = (id: string) => eventually(async () => expect(await stateOf(id)).toBe('completed'));
/** The state of a run that was queued before another one that is over. */
const stateAfterAnother = async (id: string) => {
  await completed(await queue('traced'));
  return stateOf(id);
};

// Asserts contract/jobs.md#pausing and contract/operations.md#jobs.
test('no run of a paused job begins in two processes and after a restart, until it is resumed', async () => {
  await change('write', 'pause');
  const waiting = await eventually(async () => {
    const id = await queue('write', { text: 'waits' });
    expect(await stateAfterAnother(id)).toBe('created');
    return id;
  });
  await data.close();
  await start();
  const later = await queue('write', { text: 'waits, too' });
  expect([await stateAfterAnother(later), await stateOf(waiting)]).toEqual(['created', 'created']);
  const listed = JSON.parse((await data.send('admin', 'GET', '/operations/jobs')).text);
  expect(listed.filter(({ paused }: { paused: boolean }) => paused)).toMatchObject([{ name: 'write' }]);
  await change('write', 'resume');
  await Promise.all([waiting, later].map(completed));
});

// Asserts contract/jobs.md#pausing.
test('an active run of a job that is paused goes on', async () => {
  other.kill('SIGKILL');
  held.add('kept');
  const id = await queue('steps', { name: 'kept' });
  await eventually(() => expect(done).toContain('begin kept'));
  await change('steps', 'pause');
  held.delete('kept');
  await completed(id);
  await change('steps', 'resume');
});

// Asserts contract/jobs.md#pausing and #schedules.
test('the missed times of a pause are one run or none, as the job declares, and other runs are kept', async () => {
  for (const job of ['nightly', 'skipped']) await change(job, 'pause');
  await data.close();
  await database.query(`UPDATE job.schedule SET created_on = now() - interval '4 days'`);
  await database.query(`UPDATE job.version SET cron_on = now() - interval '3 days'`);
  await start();
  await eventually(async () => expect(await statesOf('nightly')).toEqual(['created']));
  await database.query(`INSERT INTO job.job (name, policy, created_on) SELECT name, 'singleton', now()
    FROM unnest('{nightly,skipped}'::text[]) AS name, generate_series(1, 2)`);
  const { id } = JSON.parse((await data.send('admin', 'POST', '/operations/jobs/nightly/run')).text);
  for (const job of ['nightly', 'skipped']) await change(job, 'resume');
  await completed(id);
  await eventually(async () => expect(await statesOf('nightly')).toEqual(['completed', 'completed']));
  expect(await statesOf('skipped')).toEqual([]);
});
