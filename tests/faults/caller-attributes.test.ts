import { eventually } from '@lintel/testkit';
import { startServiceProcesses } from './service-processes.ts';

// Users and sessions with attributes of the application, through the gateway to services in processes of their own.

const MADRID = 'f0000000-0000-4000-8000-000000000002';

const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  SVC_APPLICATION: '@lintel/example-garage',
});
const { url } = services.gateway;
afterAll(dispose);

async function tokenOf(username: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username, password: username }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

async function call<T>(token: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/rest${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([response.ok, text]).toEqual([true, text]);
  return (text.startsWith('[') || text.startsWith('{') ? JSON.parse(text) : text) as T;
}

const jobsOf = async (token: string): Promise<readonly string[]> =>
  (await call<readonly { readonly number: string }[]>(token, 'GET', '/entities/garage_Job?sort=number')).map(
    ({ number }) => number,
  );

test('an attribute of the user limits the rows, and a change of it reaches the sessions of the user', async () => {
  const lena = await tokenOf('lena');
  expect(await jobsOf(lena)).toEqual(['J-1001']);
  const admin = await tokenOf('admin');
  const filter = JSON.stringify({ conditions: [{ property: 'username', operator: '=', value: 'lena' }] });
  const [user] = await call<readonly { readonly id: string }[]>(
    admin,
    'GET',
    `/entities/sec_User/search?filter=${encodeURIComponent(filter)}`,
  );
  await call(admin, 'PUT', `/entities/sec_User/${user?.id}`, { branch: { id: MADRID } });
  await eventually(async () => expect(await jobsOf(lena)).toEqual(['J-1002']));
});

test('an attribute of a session limits its rows alone', async () => {
  const [first, second] = [await tokenOf('otto'), await tokenOf('otto')];
  expect(await jobsOf(first)).toEqual([]);
  expect(await call(first, 'POST', '/services/garage_Branches/choose', { branch: MADRID })).toBe('Garage Madrid');
  expect(await jobsOf(first)).toEqual(['J-1002']);
  expect(await jobsOf(second)).toEqual([]);
});
