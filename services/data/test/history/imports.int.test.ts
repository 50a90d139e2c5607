import { defineApplication } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const ROWS = 1_300;

let data: DataFixture;
beforeAll(async () => {
  const application = defineApplication({
    id: 'u',
    name: 'Recorded imports',
    entities: [
      standardEntity('u_Box', {
        attributes: { code: string(20).mandatory().unique(), name: string(20) },
        history: true,
      }),
    ],
  });
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
}, 60_000);
afterAll(() => data?.close());

const send = async (query: string, rowOf: (at: number) => string) => {
  const body = `code,name\n${Array.from({ length: ROWS }, (_, at) => `${rowOf(at)}\n`).join('')}`;
  const headers = { 'content-type': 'text/csv', 'x-change-reason': 'from the old system' };
  return (await data.send('admin', 'POST', `/imports/u_Box?refused=skip${query}`, body, headers)).json();
};
const undo = (change: string) => data.send('admin', 'POST', `/history/changes/${change}/undo`);

async function allChanges() {
  const found: { readonly change: string; readonly id: string; readonly user: string; readonly reason: string }[] = [];
  for (let path: string | undefined = '/history?limit=100'; path !== undefined; ) {
    const response = await data.send('admin', 'GET', path);
    found.push(...response.json());
    path = /<[^>]*\/rest([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return found;
}

// Asserts contract/imports.md#refused, contract/history.md#changes, contract/history.md#undo.
test('an import in batches is one change, which is listed and taken back as a whole', async () => {
  const { change, created } = await send('', (at) => `A${at},${at === 7 ? 'x'.repeat(21) : at}`);
  expect(created).toBe(ROWS - 1);
  const batches = await data.query('SELECT username, reason FROM history.change WHERE id = $1', [change]);
  expect(batches.length).toBeGreaterThan(1);
  expect(new Set(batches.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ username: 'admin', reason: 'from the old system' })]),
  );
  const changes = await allChanges();
  expect(new Set(changes.map((each) => each.change))).toEqual(new Set([change]));
  expect([changes.length, new Set(changes.map(({ id }) => id)).size]).toEqual([ROWS - 1, ROWS - 1]);
  const undone = await undo(change);
  expect([undone.status, undone.json().length]).toEqual([200, ROWS - 1]);
  expect(await data.query('SELECT FROM u.box')).toEqual([]);
}, 120_000);

// Asserts contract/history.md#undo.
test('an import is not taken back where a row has changed since', async () => {
  await send('', (at) => `B${at},old`);
  const { change, updated } = await send('&key=code', (at) => `B${at},new`);
  expect(updated).toBe(ROWS);
  await data.query(`UPDATE u.box SET name = 'newer' WHERE code = 'B1100'`);
  const refused = await undo(change);
  expect([refused.status, refused.json().details]).toEqual([
    409,
    expect.stringMatching(/^Changed since: u_Box [^;]*: name$/),
  ]);
  await data.query(`UPDATE u.box SET name = 'new' WHERE code = 'B1100'`);
  expect((await undo(change)).status).toBe(200);
  expect(await data.query('SELECT DISTINCT name FROM u.box')).toEqual([{ name: 'old' }]);
}, 120_000);
