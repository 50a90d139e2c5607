import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cloneTestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { done, jobsApplication } from './jobs-application.ts';

const database = await cloneTestDatabase(schemaOf(jobsApplication.model), 'killed-run');
const data = await startDataOn(database, jobsApplication, { admin: { resourceRoles: ['system-full-access'] } });
let child: ChildProcess | undefined;
afterAll(async () => {
  child?.kill('SIGKILL');
  await data.close();
  await database.drop();
});

async function startChild(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL('./jobs-process.ts', import.meta.url)), [database.url], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  await once(started, 'message');
  return started;
}

// Asserts contract/jobs.md#workers.
test('a run whose process is killed runs again in another process', async () => {
  child = await startChild();
  const body = { job: 'steps', args: { name: 'endless' } };
  const id = (await data.send('admin', 'POST', '/services/j_Queue/queue', body)).text;
  const stateOf = async () =>
    (await data.query<{ state: string; retry_count: number }>(`SELECT * FROM job.job WHERE id = '${id}'`))[0];
  while ((await stateOf())?.state !== 'active') await sleep(50);
  child.kill('SIGKILL');
  await data.query(`UPDATE job.job SET data = '{"args":{"name":"again"}}' WHERE id = '${id}'`);
  const killedAt = Date.now();
  await data.service.start();
  while ((await stateOf())?.state !== 'completed') await sleep(200);
  expect(Date.now() - killedAt).toBeLessThan(100_000);
  expect([await stateOf(), done]).toEqual([expect.objectContaining({ retry_count: 1 }), ['begin again', 'end again']]);
}, 150_000);

// Asserts contract/jobs.md#workers.
test('short runs that a killed process has taken together all run in other processes, and none is lost', async () => {
  child = await startChild();
  const runs = 20_000;
  await data.query(
    `INSERT INTO job.job (name, data, policy, retry_limit, retry_delay, heartbeat_seconds)
     SELECT 'mixed', '{}', 'standard', 2, 1, 30 FROM generate_series(1, ${runs})`,
  );
  const count = async (where: string) => {
    const [row] = await data.query<{ n: string }>(
      `SELECT count(*) AS n FROM job.job WHERE name = 'mixed' AND ${where}`,
    );
    return Number(row?.n);
  };
  while ((await count(`state = 'active'`)) < 50) await sleep(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await count(`state = 'active'`)).toBeGreaterThan(0);
  child = await startChild();
  while ((await count(`state = 'completed'`)) < runs) await sleep(500);
  expect(await count('true')).toBe(runs);
  expect(await count('retry_count > 1')).toBe(0);
}, 180_000);
