import { setTimeout as sleep } from 'node:timers/promises';
import {
  defineApplication,
  type EnqueueOptions,
  type JobContext,
  job,
  restMethod,
  service,
  t,
} from '@lintel/application';
import { resourceRole, specificPolicy } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const as = { resourceRoles: [] };
const USERS = {
  ada: { resourceRoles: ['o-user'] },
  bob: { resourceRoles: ['o-user'] },
  admin: { resourceRoles: ['system-full-access'] },
};

/** Texts of the handlers; a run of `gated` waits until its name is open. */
const done: string[] = [];
const open = new Set<string>();
const note = ({ args }: JobContext<{ name?: string }>) => void done.push(args.name ?? 'none');
const gated = async ({ args, signal }: JobContext<{ name: string }>) => {
  done.push(`begin ${args.name}`);
  while (!open.has(args.name)) await sleep(10, undefined, { signal });
  done.push(`end ${args.name}`);
};

const application = defineApplication({
  id: 'o',
  name: 'Order of runs',
  entities: [],
  roles: [resourceRole('o-user', { name: 'User', policies: [specificPolicy('rest.enabled')] })],
  services: [
    service('o_Jobs', {
      queue: restMethod(
        {
          params: { job: t.string, args: t.any, options: t.any.optional(), count: t.int.optional() },
          methods: ['POST'],
        },
        ({ job: name, args, options = {}, count = 1 }, { data }) =>
          data.inTransaction(async ({ jobs }) => {
            const { runAt, ...more } = options as EnqueueOptions;
            const asked = { ...more, ...(runAt && { runAt: new Date(runAt) }) };
            let id = '';
            for (let at = 0; at < count; at++) id = await jobs.enqueue(name, args, asked);
            return id;
          }),
      ),
      cancel: restMethod(
        { params: { job: t.string, id: t.string }, methods: ['POST'] },
        ({ job: name, id }, { data }) => data.jobs.cancel(name, { id }),
      ),
      chain: restMethod({ methods: ['POST'] }, (_none, { data }) =>
        data.inTransaction(async (inside) => {
          const id = await inside.jobs.enqueue('gated', { name: 'first' });
          await inside.jobs.enqueue('note', { name: 'second' }, { after: { job: 'gated', id } });
        }),
      ),
    }),
  ],
  jobs: [
    job('note', { as, overlap: true }, note),
    job('gated', { as, overlap: true }, gated),
    job('grouped', { as, overlap: 'groups' }, gated),
    job('short', { as, overlap: true }, async (context: JobContext<{ name?: string }>) => {
      await sleep(10);
      note(context);
    }),
    job('single', { as }, gated),
    job('failing', { as, retries: 0 }, ({ run }) => {
      if (!open.has(run.id)) throw new Error('no');
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, USERS);
  await data.service.start();
});
afterAll(() => data.close());
beforeEach(() => {
  done.splice(0);
  open.clear();
});

const send = (method: string, body: object, user: keyof typeof USERS = 'ada') =>
  data.send(user, 'POST', `/services/o_Jobs/${method}`, body);
const queue = async (job: string, name: string, options: object = {}, user?: keyof typeof USERS): Promise<string> => {
  const response = await send('queue', { job, args: { name }, options }, user);
  expect(response.status).toBe(200);
  return response.text;
};
const stateOf = async (id: string): Promise<string | undefined> =>
  (await data.query<{ state: string }>(`SELECT state FROM job.job WHERE id = '${id}'`))[0]?.state;

/** Polls until it holds: runs have no event in the tests. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 100_000; !(await holds()); await sleep(20))
    if (Date.now() > end) throw new Error(`Nothing came: ${JSON.stringify([done, data.errors.map(String)])}`);
}
const has = (text: string) => () => done.includes(text);

// Asserts contract/jobs.md#after.
test('a run begins when the run before it has completed', async () => {
  expect((await send('chain', {})).status).toBe(204);
  await until(has('begin first'));
  const other = await queue('note', 'other');
  await until(async () => (await stateOf(other)) === 'completed');
  expect(done).toEqual(['begin first', 'other']);
  open.add('first');
  await until(has('second'));
  expect(done).toEqual(['begin first', 'other', 'end first', 'second']);
});

// Asserts contract/jobs.md#after.
test('a run after one that has completed, by its key, begins at once', async () => {
  const first = await queue('note', 'first', { key: 'done' });
  await until(async () => (await stateOf(first)) === 'completed');
  await queue('note', 'second', { after: { job: 'note', key: 'done' } });
  await until(has('second'));
});

// Asserts contract/jobs.md#after.
test('a run waits for one that has failed until that is retried', async () => {
  const first = await queue('failing', '');
  await until(async () => (await stateOf(first)) === 'failed');
  const second = await queue('note', 'second', { after: { job: 'failing', id: first } });
  open.add(first);
  expect((await data.send('admin', 'POST', `/operations/job-runs/${first}/retry`)).status).toBe(204);
  await until(async () => (await stateOf(second)) === 'completed');
  expect(await stateOf(first)).toBe('completed');
});

// Asserts contract/jobs.md#after.
test('a run for which another one waits is kept when it is cancelled, and can be retried', async () => {
  const first = await queue('note', 'first', { runAt: '2999-01-01T00:00:00Z' });
  const second = await queue('note', 'second', { after: { job: 'note', id: first } });
  expect((await send('cancel', { job: 'note', id: first })).text).toBe('true');
  expect(await stateOf(first)).toBe('cancelled');
  expect((await data.send('admin', 'POST', `/operations/job-runs/${first}/retry`)).status).toBe(204);
  await until(async () => (await stateOf(second)) === 'completed');
  expect(done).toEqual(['first', 'second']);
});

// Asserts contract/jobs.md#enqueue.
test('one run of each group is active at a time, and runs of different groups together', async () => {
  await queue('grouped', 'a1', { group: 'a' });
  await queue('grouped', 'a2', { group: 'a' });
  await queue('grouped', 'b1', { group: 'b' });
  await until(() => has('begin a1')() && has('begin b1')());
  expect(done).not.toContain('begin a2');
  open.add('a1');
  await until(has('begin a2'));
  expect(done.indexOf('end a1')).toBeLessThan(done.indexOf('begin a2'));
  for (const name of ['a2', 'b1']) open.add(name);
  await until(() => has('end a2')() && has('end b1')());
});

// Asserts contract/jobs.md#fairness.
test('runs of one user leave one of the parallel runs to others', async () => {
  const names = ['1', '2', '3', '4', '5', '6'];
  for (const name of names) await queue('gated', name);
  await until(() => done.length === 4);
  await queue('gated', 'of bob', {}, 'bob');
  await until(has('begin of bob'));
  // The parallel loops skip a run that another one is claiming: which four of the six are active is not promised.
  expect(done.filter((text) => text.startsWith('begin'))).toHaveLength(5);
  for (const name of [...names, 'of bob']) open.add(name);
  await until(() => done.filter((text) => text.startsWith('end')).length === 7);
});

// Asserts contract/jobs.md#fairness.
test('a user does not wait until all runs of another one have ended', async () => {
  const runs = 1_000;
  expect((await send('queue', { job: 'short', args: { name: 'ada' }, count: runs })).status).toBe(200);
  await queue('short', 'bob', {}, 'bob');
  await until(() => done.length === runs + 1);
  expect(done.indexOf('bob')).toBeLessThan(runs - 50);
});

// Asserts contract/jobs.md#enqueue and #after.
test.each([
  ['note', { group: 'a' }, "group: only runs of a job with overlap: 'groups' have one"],
  ['grouped', { group: '' }, 'group must be a text of 1 to 200 characters'],
  ['grouped', { group: 'a'.repeat(201) }, 'group must be a text of 1 to 200 characters'],
  ['grouped', { group: 'a\0' }, 'group must be a text of 1 to 200 characters'],
  ['note', { after: { job: 'nothing', id: 'x' } }, 'There is no job nothing'],
  ['note', { after: { job: 'note', key: 'never queued' } }, 'after: there is no such run of note'],
  ['note', { after: { job: 'note', id: 'not an id' } }, 'after: there is no such run of note'],
])('%s with %j is refused with a sentence', async (job, options, sentence) => {
  const before = await data.query('SELECT id FROM job.job');
  data.errors.splice(0);
  expect((await send('queue', { job, args: {}, options })).status).toBe(500);
  expect(String((data.errors.splice(0)[0] as { error: Error }).error)).toContain(sentence);
  expect(await data.query('SELECT id FROM job.job')).toHaveLength(before.length);
});
