import { defineApplication, entityListener, restMethod, service, t } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import type { DataSource } from '@lintel/persistence';
import { type DataFixture, startData } from '../data-fixture.ts';

const note = { code: string(20).unique(), text: string(50) };
const application = defineApplication({
  id: 'w',
  name: 'Writers',
  entities: [
    standardEntity('w_Note', { attributes: note, history: true }),
    standardEntity('w_Cause', { attributes: { code: string(20) } }),
  ],
  listeners: [
    entityListener({
      entity: 'w_Cause',
      afterSave: async ({ after }, { data }) => {
        await data.create('w_Note', { code: String(after?.['code']), text: 'listener' });
      },
    }),
  ],
  services: [
    service('w_Work', {
      create: restMethod({ params: { code: t.string } }, async ({ code }, { data }) => {
        await data.create('w_Note', { code, text: 'method' });
      }),
      orm: restMethod({ params: { code: t.string } }, async ({ code }, { data }) => {
        const source = await data.dataSource<DataSource>();
        await source.getRepository('w_Note').save({ code, text: 'TypeORM' });
      }),
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = async (method: string, path: string, body?: unknown, headers = {}) => {
  const response = await data.send('admin', method, path, body, headers);
  expect([path, response.status < 300, response.text]).toEqual([path, true, expect.anything()]);
  return response;
};
const historyOf = async (code: string) => {
  const [row] = await data.query(`SELECT id FROM w.note WHERE code = '${code}'`);
  return (await send('GET', `/history/w_Note/${row?.['id']}`)).json();
};

// Asserts contract/history.md#recorded.
test.each([
  ['a listener', () => send('POST', '/entities/w_Cause', { code: 'listener' }), 'listener'],
  ['a service method', () => send('POST', '/services/w_Work/create', { code: 'method' }), 'method'],
  ['TypeORM', () => send('POST', '/services/w_Work/orm', { code: 'orm' }), 'orm'],
])('the history of what %s writes has the user', async (_who, write, code) => {
  await write();
  const [change, ...others] = await historyOf(code);
  expect([change.operation, change.user, others]).toEqual(['created', 'admin', []]);
});

// Asserts contract/history.md#undo.
test('an import is one change, which is taken back as a whole', async () => {
  await send('POST', '/entities/w_Note', { code: 'i1', text: 'before' });
  const csv = 'code,text\ni1,after\ni2,new\ni3,new\n';
  await send('POST', '/imports/w_Note?key=code', csv, { 'content-type': 'text/csv', 'x-change-reason': 'import' });
  const [change] = await historyOf('i1');
  expect(change).toMatchObject({ operation: 'updated', reason: 'import', user: 'admin' });
  expect((await historyOf('i3'))[0].change).toBe(change.change);
  const undone = (await send('POST', `/history/changes/${change.change}/undo`)).json();
  expect(undone.map(({ operation }: { operation: string }) => operation).sort()).toEqual([
    ...['deleted', 'deleted', 'updated'],
  ]);
  expect(await data.query(`SELECT code, text FROM w.note WHERE code LIKE 'i_'`)).toEqual([
    { code: 'i1', text: 'before' },
  ]);
});
