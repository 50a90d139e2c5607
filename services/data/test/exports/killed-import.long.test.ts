import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cloneTestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { FILE_REF, PARTS, partsApplication, REFUSED_ROW, storedParts, USER_ID, users } from './stored-parts.ts';

const database = await cloneTestDatabase(schemaOf(partsApplication.model), 'killed-import');
const data = await startDataOn(database, partsApplication, users, {}, undefined, { storedFiles: storedParts });
const children: ChildProcess[] = [];
beforeAll(async () => {
  await data.query(`INSERT INTO sec."user" (id, version, username, active) VALUES ($1, 1, 'ada', true)`, [USER_ID]);
  await data.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
    VALUES (gen_random_uuid(), 1, 'ada', 'system-full-access', 'resource')`);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await data.close();
  await database.drop();
});

async function startChild(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL('./imports-process.ts', import.meta.url)), [database.url], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  children.push(started);
  await once(started, 'message');
  return started;
}

const stored = async () => {
  const [row] = await data.query(`SELECT count(*)::int AS n, count(DISTINCT code)::int AS different FROM k.part`);
  return row as { readonly n: number; readonly different: number };
};

async function importAs(mode: 'skip' | 'stop'): Promise<() => Promise<{ status: string; [name: string]: unknown }>> {
  const body = { file: FILE_REF, type: 'text/csv' };
  const headers = { 'content-type': 'application/json' };
  const response = await data.send('ada', 'POST', `/imports/k_Part?refused=${mode}`, body, headers);
  const path = `/service-runs/${response.json().id}`;
  return async () => (await data.send('ada', 'GET', path)).json();
}

// Asserts contract/imports.md#background.
test('an import whose process is killed goes on in another one, and imports no row twice', async () => {
  const run = await importAs('skip');
  let reached = 0;
  for (const _ of [1, 2]) {
    const running = await startChild();
    while ((await stored()).n < reached + 4_000) await sleep(5);
    running.kill('SIGKILL');
    await once(running, 'exit');
    reached = (await stored()).n;
  }
  expect(reached).toBeLessThan(PARTS - 1);
  const last = await startChild();
  while (['QUEUED', 'RUNNING'].includes((await run()).status)) await sleep(200);
  last.kill('SIGKILL');
  expect(await run()).toMatchObject({
    status: 'SUCCEEDED',
    result: { rows: PARTS, created: PARTS - 1, refused: 1, errors: [{ row: REFUSED_ROW }] },
  });
  expect(await stored()).toEqual({ n: PARTS - 1, different: PARTS - 1 });
}, 300_000);

// Asserts contract/imports.md#background, contract/imports.md#refused.
test('an import of all rows or none leaves nothing when its process is killed, and begins again', async () => {
  await data.query('DELETE FROM k.part');
  const run = await importAs('stop');
  const running = await startChild();
  // Its rows are not visible before the commit.
  while (((await run())['progress'] as { done: number } | undefined)?.done === undefined) await sleep(5);
  running.kill('SIGKILL');
  await once(running, 'exit');
  expect(await stored()).toMatchObject({ n: 0 });
  await startChild();
  while (['QUEUED', 'RUNNING'].includes((await run()).status)) await sleep(200);
  expect(await run()).toMatchObject({
    status: 'FAILED',
    error: { rows: PARTS, created: PARTS - 1, refused: 1, errors: [{ row: REFUSED_ROW }] },
  });
  expect(await stored()).toMatchObject({ n: 0 });
}, 200_000);
