import sales from '@lintel/example-sales';
import { hashPassword } from '@lintel/passwords';
import { type DataFixture, startData, startDataOn } from '../data-fixture.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(sales, { admin: { resourceRoles: ['system-full-access'] } });
  const add = async (username: string, password: string, isActive = true) =>
    data.query(
      'INSERT INTO sec."user" (id, version, username, password, active) VALUES (gen_random_uuid(), 1, $1, $2, $3)',
      [username, await hashPassword(password), isActive],
    );
  await add('admin', 'admin');
  await add('clerk', 'clerk');
  await add('manager', 'a password of their own');
  await add('viewer', 'viewer', false);
  await add('ada', 'ada');
});
afterAll(() => data.close());

const SECRET = 'fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19';
/** The problems of a start. */
async function started(properties: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const database = { url: data.databaseUrl, query: data.query };
  const other = await startDataOn(database, sales, {}, { 'svc.internal.secret': SECRET, ...properties });
  try {
    await other.service.start();
    return [];
  } catch (error) {
    return (error as { readonly problems: readonly string[] }).problems;
  } finally {
    await other.close();
  }
}

test.each<Record<string, string>>([
  { 'svc.security.profile': 'hardened' },
  { 'svc.security.production': 'true' },
  { 'svc.services.host': '0.0.0.0', 'svc.security.allow-insecure': 'compatible-profile' },
])('the start is refused where users have published passwords, naming each: %j', async (properties) => {
  expect(await started(properties)).toEqual(
    ['admin', 'clerk'].map((name) => expect.stringMatching(new RegExp(`^user ${name}: .*=demo-data allows it$`))),
  );
});

test('it is allowed by name, and on this machine', async () => {
  expect(await started({ 'svc.security.profile': 'hardened', 'svc.security.allow-insecure': 'demo-data' })).toEqual([]);
  expect(await started({})).toEqual([]);
});
