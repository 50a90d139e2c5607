import { setTimeout as sleep } from 'node:timers/promises';
import { defineApplication, RestError, restMethod, service, t, ValidationError } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { entityPolicy, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

let aborted: unknown;
let released = (): void => {};
const seen: unknown[] = [];

const long = { longRunning: true, methods: ['POST', 'GET'] } as const;
const application = defineApplication({
  id: 'l',
  name: 'Long calls',
  entities: [standardEntity('l_Note', { attributes: { text: string(100) } })],
  roles: [
    resourceRole('l-notes', {
      name: 'Notes',
      policies: [specificPolicy('rest.enabled'), entityPolicy('l_Note', 'read'), viewAttributes('l_Note', '*')],
    }),
  ],
  sessionAttributes: { branch: 'string' },
  services: [
    service('l_Work', {
      sum: restMethod(
        { ...long, params: { of: t.decimal, name: t.string.optional() } },
        ({ of }, { username, data }) => {
          seen.push(username);
          return data.count('l_Note').then((notes) => ({ of, notes }));
        },
      ),
      text: restMethod({ ...long, returns: t.string }, () => 'a "text"'),
      count: restMethod(long, async (_parameters, { progress }) => {
        progress(1, 3, 'first');
        progress(3, 3);
      }),
      nothing: restMethod(long, () => undefined),
      short: restMethod({ methods: ['POST'], returns: t.string }, () => 'at once'),
      refuse: restMethod({ ...long, params: { how: t.string } }, ({ how }) => {
        if (how === 'rest') throw new RestError(422, 'Not now', 'Come back');
        if (how === 'validation') throw new ValidationError('wrong');
        throw new Error('hidden');
      }),
      wait: restMethod(long, async (_parameters, { signal }) => {
        await Promise.race([
          new Promise<void>((resolve) => (released = resolve)),
          sleep(60_000, undefined, { signal }).catch((error: unknown) => (aborted = error)),
        ]);
        signal.throwIfAborted();
      }),
    }),
  ],
});

const ADA = '01890000-0000-7000-8000-0000000000a1';
const BO = '01890000-0000-7000-8000-0000000000b1';
const ROLES = { resourceRoles: ['l-notes'] };
const USERS = {
  ada: { ...ROLES, userId: ADA },
  key: { ...ROLES, resourceRoles: ['rest-minimal'], userId: ADA, username: 'ada' },
  bo: { ...ROLES, userId: BO },
  client: { ...ROLES, kind: 'client' as const },
  admin: { resourceRoles: ['system-full-access'] },
};

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, USERS);
  await data.query(
    `INSERT INTO sec."user" (id, version, username, active) VALUES ('${ADA}', 1, 'ada', true), ('${BO}', 1, 'bo', true)`,
  );
  await data.query(
    `INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
     SELECT gen_random_uuid(), 1, username, 'l-notes', 'resource' FROM sec."user" WHERE username IN ('ada', 'bo')`,
  );
  await data.service.start();
});
afterAll(() => data.close());

const ASYNC = { prefer: 'respond-async' };
const call = (method: string, body: unknown = {}, user = 'ada') =>
  data.send(user, 'POST', `/services/l_Work/${method}`, body, ASYNC);

async function accepted(method: string, body: unknown = {}, user = 'ada'): Promise<string> {
  const response = await call(method, body, user);
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
  return response.headers.get('location')?.replace('/rest', '') ?? '';
}

async function ended(path: string, user = 'ada') {
  for (const end = Date.now() + 100_000; ; await sleep(50)) {
    const response = await data.send(user, 'GET', path);
    if (response.status !== 200 || !['QUEUED', 'RUNNING'].includes(response.json().status)) return response;
    if (Date.now() > end) throw new Error(`Nothing came: ${response.text}`);
  }
}

// Asserts contract/services.md#long-running.
test('a call that its client does not wait for is a run with the exact result', async () => {
  const response = await call('sum', '{"of": 12345678901234567890.10}');
  expect(response.status).toBe(202);
  expect(response.headers.get('preference-applied')).toBe('respond-async');
  expect(response.headers.get('retry-after')).toBe('1');
  const { id } = response.json();
  expect(response.json()).toMatchObject({ service: 'l_Work', method: 'sum', createdAt: expect.any(String) });
  expect(response.headers.get('location')).toBe(`/rest/service-runs/${id}`);
  const run = await ended(`/service-runs/${id}`);
  expect(run.headers.get('retry-after')).toBeNull();
  expect(run.json()).toMatchObject({
    status: 'SUCCEEDED',
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
  });
  expect(run.text).toMatch(/"result":\{"of":"?12345678901234567890\.10?"?,"notes":0\}\}$/);
  expect(seen.splice(0)).toEqual(['ada']);
  expect((await ended(await accepted('text'))).json().result).toBe('a "text"');
  expect((await ended(await accepted('nothing'))).json()).not.toHaveProperty('result');
});

// Asserts contract/services.md#long-running.
test('mistakes of a call are refused before it is accepted', async () => {
  for (const body of ['{"of": "x"}', '{}', '{']) {
    const { status } = await call('sum', body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  expect(seen).toEqual([]);
});

// Asserts contract/services.md#long-running.
test('a client waits for other methods, for GET, and for callers that are no users', async () => {
  const responses = await Promise.all([
    call('short'),
    data.send('ada', 'GET', '/services/l_Work/text', undefined, ASYNC),
    data.send('ada', 'POST', '/services/l_Work/text', {}),
    call('text', {}, 'client'),
  ]);
  for (const { status, headers } of responses) expect([status, headers.get('preference-applied')]).toEqual([200, null]);
});

// Asserts contract/services.md#long-running.
test.each([
  ['rest', { status: 422, error: 'Not now', details: 'Come back' }],
  ['validation', { status: 400, error: expect.any(String), details: 'wrong' }],
  ['bug', { status: 500, error: 'Server error', details: '' }],
])('a call that fails by %s has the error of a client that waits', async (how, error) => {
  const run = await ended(await accepted('refuse', { how }));
  expect(run.json()).toMatchObject({ status: 'FAILED', error });
  expect(run.text).not.toContain('hidden');
  const { id } = run.json();
  const operator = await data.send('admin', 'GET', `/operations/job-runs/${id}`);
  expect(operator.json()).toMatchObject({ job: 'lintel.call', state: 'failed' });
  expect(operator.text).not.toMatch(/Come back|wrong|"how"/);
});

// Asserts contract/services.md#long-running.
test('a run has the rights that its user has when it begins, and no more than its login', async () => {
  expect((await ended(await accepted('sum', { of: 1 }, 'key'))).json()).toMatchObject({
    status: 'FAILED',
    error: { status: 403 },
  });
  await data.query(`UPDATE sec."user" SET active = false WHERE username = 'bo'`);
  const run = await ended(await accepted('sum', { of: 1 }, 'bo'), 'bo');
  expect(run.json()).toMatchObject({ status: 'FAILED', error: { status: 401 } });
});

// Asserts contract/services.md#long-running.
test('callers see and cancel their own runs alone', async () => {
  const path = await accepted('wait');
  for (const user of ['bo', 'client', 'admin'])
    for (const method of ['GET', 'DELETE']) expect((await data.send(user, method, path)).status).toBe(404);
  expect((await data.send('ada', 'DELETE', path, {})).status).toBe(400);
  for (; (await data.send('ada', 'GET', path)).json().status !== 'RUNNING'; ) await sleep(50);
  expect((await data.send('ada', 'DELETE', path)).status).toBe(204);
  expect((await ended(path)).json()).toMatchObject({ status: 'CANCELLED' });
  expect((await data.send('ada', 'DELETE', path)).status).toBe(409);
  for (; aborted === undefined; ) await sleep(50);
  for (const id of ['none', '00000000-0000-4000-8000-000000000000'])
    expect((await data.send('ada', 'GET', `/service-runs/${id}`)).status).toBe(404);
});

// Asserts contract/services.md#long-running.
test('callers list their own runs, with their progress and without results', async () => {
  const path = await accepted('count');
  expect((await ended(path)).json()).toMatchObject({ status: 'SUCCEEDED', progress: { done: 3, of: 3 } });
  await ended(await accepted('text'));
  const { status, headers, json } = await data.send('ada', 'GET', '/service-runs');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(json().slice(0, 2)).toEqual([
    expect.objectContaining({ method: 'text', status: 'SUCCEEDED' }),
    expect.objectContaining({ id: path.split('/').at(-1), method: 'count', progress: { done: 3, of: 3 } }),
  ]);
  expect(JSON.stringify(json())).not.toContain('result');
  for (const user of ['client', 'admin']) expect((await data.send(user, 'GET', '/service-runs')).json()).toEqual([]);
  expect((await data.send('ada', 'POST', '/services/l_Work/count', {})).status).toBe(204);
});

// Asserts contract/services.md#long-running.
test('a user has at most 20 calls that have not ended, however many are sent at once', async () => {
  const sent = await Promise.all(Array.from({ length: 30 }, () => call('wait')));
  const paths = sent.flatMap(({ status, json }) => (status === 202 ? [`/service-runs/${json().id}`] : []));
  expect([paths.length, new Set(sent.map(({ status }) => status))]).toEqual([20, new Set([202, 429])]);
  expect((await call('wait', {}, 'bo')).status).toBe(202);
  for (const path of paths) await data.send('ada', 'DELETE', path);
  released();
});
