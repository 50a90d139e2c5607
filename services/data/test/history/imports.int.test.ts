import { defineApplication, entityListener } from '@lintel/application';
import { compositionOfMany, standardEntity, string, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const ROWS = 1_300;

/** Called with the code of each box before it is stored. */
let onSave: (code: string) => unknown = () => {};

let data: DataFixture;
beforeAll(async () => {
  const application = defineApplication({
    id: 'u',
    name: 'Recorded imports',
    entities: [
      standardEntity('u_Box', {
        attributes: {
          code: string(20).mandatory().unique(),
          name: string(20),
          labels: compositionOfMany('u_Label', 'box'),
        },
        history: true,
      }),
      standardEntity('u_Label', {
        attributes: { code: string(20).mandatory().unique(), box: toOne('u_Box').mandatory() },
      }),
    ],
    listeners: [
      entityListener({
        entity: 'u_Box',
        beforeSave: async ({ after }) => void (await onSave(String(after?.['code']))),
      }),
    ],
  });
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
});
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
});

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
});

// Asserts contract/history.md#undo.
test.each([
  ['the instance', `UPDATE u.box SET name = 'theirs' WHERE code = 'C0'`],
  [
    'a child',
    `INSERT INTO u.label (id, version, code, box_id) SELECT gen_random_uuid(), 1, 'L', id FROM u.box WHERE code = 'C0'`,
  ],
])(
  'an import is not taken back where others have written %s between its transactions',
  async (_name, statement) => {
    const lines = [...Array.from({ length: 2_300 }, (_, at) => `C${at},one`), 'C0,two'];
    onSave = async (code) => {
      if (code !== 'C1500') return;
      onSave = () => {};
      await data.query(statement);
    };
    const { change, created, updated } = (
      await data.send('admin', 'POST', '/imports/u_Box?refused=skip&key=code', `code,name\n${lines.join('\n')}`, {
        'content-type': 'text/csv',
      })
    ).json();
    expect([created, updated]).toEqual([2_300, 1]);
    const refused = await undo(change);
    expect([refused.status, refused.json().details]).toEqual([
      409,
      expect.stringMatching(/^Changed since: u_Box "[^"]*": during the change$/),
    ]);
    expect(await data.query(`SELECT count(*)::int AS count FROM u.box WHERE code LIKE 'C%'`)).toEqual([
      { count: 2_300 },
    ]);
    await data.query(`DELETE FROM u.label`);
    await data.query(`DELETE FROM u.box WHERE code LIKE 'C%'`);
  },
  120_000,
);
