import { type DataFixture, startData } from '../data-fixture.ts';
import { desk } from './desk-application.ts';

let fixture: DataFixture;

beforeAll(async () => {
  fixture = await startData(
    desk,
    {
      admin: { resourceRoles: ['system-full-access'] },
      Ann: { resourceRoles: ['reader'], rowLevelRoles: ['own-kind'] },
      Bob: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-kind'] },
    },
    {
      'svc.core.entity-serialization-token-required': 'true',
      'svc.core.entity-serialization-token-encryption-key': 'a key of the test',
    },
  );
});
afterAll(() => fixture.close());

// Asserts contract/row-policies.md#security-token.
test('if security tokens are enabled, instances that a service reads for the caller are sent with their token', async () => {
  await fixture.send('admin', 'POST', '/entities/d_Person', { name: 'Ann' });
  const call = async (method: string) =>
    (await fixture.send('Ann', 'GET', `/services/d_Facade/${method}`)).json() as readonly Record<string, unknown>[];
  const byEntityApi = (await fixture.send('Ann', 'GET', '/entities/d_Person')).json();
  expect(await call('ownPeople')).toEqual(byEntityApi);
  expect((await call('ownPeople'))[0]?.['__securityToken']).toEqual(expect.any(String));
  // An instance that was not read with the rights of the caller has no token.
  expect((await call('allPeople'))[0]).not.toHaveProperty('__securityToken');
});

test('application code that writes for the caller needs no token; members hidden from the caller are kept', async () => {
  const admin = async (method: string, path: string, body?: unknown) =>
    (await fixture.send('admin', method, `/entities/${path}`, body)).json();
  const [hidden, own] = [
    await admin('POST', 'd_Person', { name: 'Cid' }),
    await admin('POST', 'd_Person', { name: 'Bob' }),
  ];
  const ofOwner = async (owner?: { readonly id: string }): Promise<string> =>
    (await admin('POST', 'd_Ticket', { title: 'of', owner })).id;
  const save = async (id: string) => {
    const ticket = { id, title: 'saved', owner: { id: own.id } };
    const response = await fixture.send('Bob', 'POST', '/services/d_Facade/save', { ticket });
    const [stored] = await fixture.query('SELECT title, owner_id FROM d.ticket WHERE id = $1', [id]);
    return [response.status, stored];
  };
  expect(await save(await ofOwner())).toEqual([200, { title: 'saved', owner_id: own.id }]);
  expect(await save(await ofOwner(hidden))).toEqual([200, { title: 'saved', owner_id: hidden.id }]);
});
