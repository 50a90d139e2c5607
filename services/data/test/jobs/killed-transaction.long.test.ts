import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cloneTestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { jobsApplication } from './jobs-application.ts';

const database = await cloneTestDatabase(schemaOf(jobsApplication.model), 'killed-transaction');
const data = await startDataOn(database, jobsApplication, { admin: { resourceRoles: ['system-full-access'] } });
let child: ChildProcess | undefined;
afterAll(async () => {
  child?.kill('SIGKILL');
  await data.close();
  await database.drop();
});

// Asserts contract/jobs.md#workers.
test('a run that is killed in its transaction has its effects once, by its next attempt', async () => {
  child = fork(fileURLToPath(new URL('./jobs-process.ts', import.meta.url)), [database.url], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  await once(child, 'message');
  const id = (await data.send('admin', 'POST', '/services/j_Queue/queue', { job: 'pair', args: {} })).text;
  const runOf = async () =>
    (
      await data.query<{ state: string; retry_count: number; output: object | null }>(
        `SELECT * FROM job.job WHERE id = '${id}'`,
      )
    )[0];
  const notes = async () => (await data.query<{ text: string }>('SELECT text FROM j.note')).map(({ text }) => text);
  // The attempt reports its progress when the first note is written.
  while ((await runOf())?.output === null) await sleep(50);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await notes()).toEqual([]);
  await data.service.start();
  while ((await runOf())?.state !== 'completed') await sleep(200);
  expect([(await notes()).toSorted(), (await runOf())?.retry_count]).toEqual([['first', 'second'], 1]);
}, 150_000);
