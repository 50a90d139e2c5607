import { bindApplication, job } from '@lintel/application';
import { type DataFixture, startData } from '../data-fixture.ts';
import { done, jobsApplication } from './jobs-application.ts';

const USERS = { admin: { resourceRoles: ['system-full-access'] } };
const as = { resourceRoles: ['j-notes'] };

let data: DataFixture;
beforeAll(async () => {
  const again = job('again', { as }, ({ data: own }) => own.jobs.enqueue('again'));
  const chain = job('chain', { as }, ({ data: own, run: { id } }) =>
    own.jobs.enqueue('write', { text: 'after' }, { after: { job: 'chain', id } }),
  );
  const hourly = job('hourly', { as, schedule: '0 * * * *', missed: 'all' }, ({ run }) => {
    done.push(`hourly ${run.due?.toISOString()}`);
  });
  const application = bindApplication({
    ...jobsApplication,
    jobs: [...(jobsApplication.jobs ?? []), again, chain, hourly],
  });
  data = await startData(application, USERS, {}, undefined, { runsJobsOnDemand: true });
  await data.service.start();
});
afterAll(() => data.close());
beforeEach(() => done.splice(0));

const queue = (name: string, args: object = {}) =>
  data.send('admin', 'POST', '/services/j_Queue/queue', { job: name, args });

test('jobs run on demand alone, with the runs that their writes queue', async () => {
  await data.send('admin', 'POST', '/entities/j_Note', { text: 'queue' });
  await queue('flaky');
  expect(done).toEqual([]);
  expect(await data.service.runDueJobs({ jobs: ['write'] })).toEqual([
    { job: 'write', id: expect.any(String), attempt: 1 },
  ]);
  expect(done).toEqual(['write queued']);
  const failed = { job: 'flaky', id: expect.any(String), attempt: 1, error: expect.stringContaining('An error') };
  expect(await data.service.runDueJobs({})).toEqual([failed]);
  expect(await data.service.runDueJobs({})).toEqual([]);
  await data.query(`UPDATE job.job SET start_after = now() WHERE name = 'flaky'`);
  expect(await data.service.runDueJobs({})).toEqual([{ job: 'flaky', id: expect.any(String), attempt: 2 }]);
});

// Asserts contract/jobs.md#pausing.
test('a paused job has no runs on demand', async () => {
  await queue('write', { text: 'waits' });
  await data.send('admin', 'POST', '/operations/jobs/write/pause');
  expect(await data.service.runDueJobs({})).toEqual([]);
  await data.send('admin', 'POST', '/operations/jobs/write/resume');
  expect(await data.service.runDueJobs({})).toMatchObject([{ job: 'write' }]);
});

test('a schedule that was due in a time that has passed runs once', async () => {
  const passed = { from: new Date('2026-11-21T12:00:00Z'), to: new Date('2026-11-24T12:00:00Z') };
  const jobs = ['skipped', 'nightly'];
  expect((await data.service.runDueJobs({ passed, jobs })).map((one) => one.job)).toEqual(jobs);
  expect(await data.service.runDueJobs({ passed: { from: passed.to, to: passed.to } })).toEqual([]);
});

test('a job that runs at each scheduled time runs for each that has passed', async () => {
  const passed = { from: new Date('2026-11-21T12:00:00Z'), to: new Date('2026-11-21T15:00:00Z') };
  await data.service.runDueJobs({ passed, jobs: ['hourly'] });
  expect(done).toEqual(['13', '14', '15'].map((hour) => `hourly 2026-11-21T${hour}:00:00.000Z`));
});

test('a run after another one runs on demand, too', async () => {
  await queue('chain');
  expect((await data.service.runDueJobs({ jobs: ['chain', 'write'] })).map(({ job: name }) => name)).toEqual([
    'chain',
    'write',
  ]);
});

test('a job that queues itself without an end is an error', async () => {
  await queue('again');
  await expect(data.service.runDueJobs({})).rejects.toThrow('more than 1000 runs; the last is of again');
});
