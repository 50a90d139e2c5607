import { type DataFixture, startData } from '../data-fixture.ts';
import { desk } from './desk-application.ts';

let fixture: DataFixture;

beforeAll(async () => {
  fixture = await startData(
    desk,
    {
      admin: { resourceRoles: ['system-full-access'] },
      Ann: { resourceRoles: ['reader'], rowLevelRoles: ['own-kind'] },
    },
    {
      'svc.core.entity-serialization-token-required': 'true',
      'svc.core.entity-serialization-token-encryption-key': 'a key of the test',
    },
  );
});
afterAll(() => fixture.close());

test('with the switch on, instances that a service reads for the caller are answered with their security token', async () => {
  await fixture.send('admin', 'POST', '/entities/d_Person', { name: 'Ann' });
  const call = async (method: string) =>
    (await fixture.send('Ann', 'GET', `/services/d_Facade/${method}`)).json() as readonly Record<string, unknown>[];
  const byEntityApi = (await fixture.send('Ann', 'GET', '/entities/d_Person')).json();
  expect(await call('ownPeople')).toEqual(byEntityApi);
  expect((await call('ownPeople'))[0]?.['__securityToken']).toEqual(expect.any(String));
  // What the caller did not read has nothing to seal.
  expect((await call('allPeople'))[0]).not.toHaveProperty('__securityToken');
});
