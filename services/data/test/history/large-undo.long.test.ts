import { setTimeout as sleep } from 'node:timers/promises';
import { defineApplication } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const ROWS = 10_050;
const ADA = '01890000-0000-7000-8000-0000000000a1';
const application = defineApplication({
  id: 'u',
  name: 'Large changes',
  entities: [standardEntity('u_Box', { attributes: { name: string(20) }, history: { requiresReason: true } })],
  roles: [
    resourceRole('u-boxes', {
      name: 'Boxes',
      policies: [
        ...['rest.enabled', 'history.read'].map((name) => specificPolicy(name)),
        ...[entityPolicy('u_Box', 'all'), viewAttributes('u_Box', '*'), modifyAttributes('u_Box', '*')],
      ],
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, { ada: { resourceRoles: ['u-boxes'], userId: ADA } });
  await data.query(`INSERT INTO sec."user" (id, version, username, active) VALUES ('${ADA}', 1, 'ada', true)`);
  await data.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
    VALUES (gen_random_uuid(), 1, 'ada', 'u-boxes', 'resource')`);
  await data.query(`INSERT INTO u.box (id, version, name)
    SELECT gen_random_uuid(), 1, 'first' FROM generate_series(1, ${ROWS})`);
  await data.service.start();
});
afterAll(() => data.close());

const names = () => data.query('SELECT name, count(*)::int AS count FROM u.box GROUP BY name ORDER BY name');
async function changeAll(): Promise<string> {
  await data.query("UPDATE u.box SET name = 'second'");
  const [row] = await data.query('SELECT id FROM history.change ORDER BY recorded_at DESC LIMIT 1');
  return String(row?.['id']);
}
const undo = (change: string, headers = {}) =>
  data.send('ada', 'POST', `/history/changes/${change}/undo`, undefined, { 'x-change-reason': 'too much', ...headers });
async function ended(id: string) {
  for (const end = Date.now() + 600_000; ; await sleep(200)) {
    const run = (await data.send('ada', 'GET', `/service-runs/${id}`)).json();
    if (!['QUEUED', 'RUNNING'].includes(run.status)) return run;
    if (Date.now() > end) throw new Error(`Nothing came: ${JSON.stringify(run)}`);
  }
}

// Asserts contract/history.md#undo.
test('a change of more than 10,000 rows is taken back in the background, as a whole or not', async () => {
  const change = await changeAll();
  const refused = await undo(change);
  expect([refused.status, refused.json().details]).toEqual([400, expect.stringContaining('respond-async')]);
  const accepted = await undo(change, { prefer: 'respond-async' });
  const { id, ...run } = accepted.json();
  expect([accepted.status, accepted.headers.get('location')]).toEqual([202, `/rest/service-runs/${id}`]);
  expect(run).toMatchObject({ service: 'history', method: 'undo' });
  const { status, result, error } = await ended(id);
  expect([status, error, result?.count, result?.instances.length]).toEqual(['SUCCEEDED', undefined, ROWS, 1_000]);
  expect(await names()).toEqual([{ name: 'first', count: ROWS }]);
  const [last] = await data.query('SELECT username, reason FROM history.change ORDER BY recorded_at DESC LIMIT 1');
  expect(last).toEqual({ username: 'ada', reason: 'too much' });
  const again = await ended((await undo(change, { prefer: 'respond-async' })).json().id);
  expect(again).toMatchObject({ status: 'FAILED', error: { status: 409, details: expect.stringContaining('u_Box') } });
  expect(await names()).toEqual([{ name: 'first', count: ROWS }]);
  const small = await data.send('ada', 'POST', '/entities/u_Box', { name: 'x' }, { 'x-change-reason': 'new' });
  const [{ change: own }] = (await data.send('ada', 'GET', `/history/u_Box/${small.json().id}`)).json();
  expect((await undo(own, { prefer: 'respond-async' })).status).toBe(200);
}, 1_200_000);
