import { eventually } from '@lintel/testkit';
import { as, basic, tokenRequest, unique } from './api.ts';

/** A masked value, none, or an address without a login and parameters. */
const HAS_NO_SECRET = /\*\*\*|^$|^[a-z]+:\/\/[^@?]*$/;

/** The process that serves data, which reports itself some seconds after its start. */
const dataProcess = () =>
  eventually(async () => {
    const processes = (await as('admin', 'GET', '/operations/processes')).json();
    const found = processes.find(({ service }: { service: string }) => /^(data|standalone)$/.test(service));
    expect(found).toBeDefined();
    return found;
  });

describe('processes (contract/operations.md#processes)', () => {
  test('each running process has its health', async () => {
    const response = await as('admin', 'GET', '/operations/processes');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const data = await dataProcess();
    expect(data).toMatchObject({ id: expect.any(String), host: expect.any(String), reportedAt: expect.any(String) });
    expect(Object.values(data.checks)).not.toHaveLength(0);
  });

  // Asserts contract/operations.md#settings.
  test('the configuration in force has values and their sources, and no secret', async () => {
    const { id } = await dataProcess();
    const response = await as('admin', 'GET', `/operations/processes/${id}/settings`);
    const settings = new Map<string, { value: string | null; origin: string; secret: boolean }>(
      response.json().map((each: { name: string }) => [each.name, each]),
    );
    expect(settings.get('svc.rest.base-path')).toEqual({
      name: 'svc.rest.base-path',
      value: '/rest',
      secret: false,
      origin: 'default',
    });
    expect(settings.get('svc.internal.secret')).toMatchObject({ value: '***', secret: true });
    for (const { secret, value } of settings.values())
      if (secret && value !== null) expect(value).toMatch(HAS_NO_SECRET);
  });

  // Asserts contract/operations.md#queues.
  test('queues and what waits are counted', async () => {
    expect((await as('admin', 'GET', '/operations/queues')).json()).toEqual({
      queues: expect.any(Array),
      outbox: { count: expect.any(Number), oldestSeconds: expect.any(Number) },
      deliveries: { count: expect.any(Number), oldestSeconds: expect.any(Number) },
    });
  });

  // Asserts contract/operations.md#tasks.
  test('tasks are counted for those who may see them', async () => {
    const counted = {
      failedRuns: expect.any(Number),
      deadLetters: expect.any(Number),
      waitingReports: expect.any(Number),
    };
    expect((await as('admin', 'GET', '/operations/tasks')).json()).toEqual(counted);
    expect((await as('manager', 'GET', '/operations/tasks')).status).toBe(403);
  });

  test('addresses of dashboards and traces are null where none is configured (contract/operations.md#links)', async () => {
    expect((await as('admin', 'GET', '/operations/links')).json()).toEqual({ dashboards: null, traces: null });
  });

  // Asserts contract/operations.md#slow-statements.
  test('slow statements are listed without values', async () => {
    const response = await as('admin', 'GET', '/operations/slow-statements?limit=5');
    expect(response.status).toBe(200);
    expect(response.json().length).toBeLessThanOrEqual(5);
  });
});

test('migrations have run, and the database fits the model (contract/operations.md#schema)', async () => {
  const state = (await as('admin', 'GET', '/operations/schema')).json();
  expect(state.migrations).toContainEqual({ name: '1763683200100-platform', state: 'executed' });
  expect(state.findings.filter(({ severity }: { severity: string }) => severity === 'problem')).toEqual([]);
  expect(state.fits).toBe(true);
});

describe('security events (contract/operations.md#security-events)', () => {
  const PATH = '/operations/security-events';
  const username = unique('seen');
  const logIn = (password: string) =>
    tokenRequest(
      '/oauth/token',
      { grant_type: 'password', username, password },
      { authorization: basic('client', 'secret') },
    );
  const pageOf = (query: string) => as('admin', 'GET', `${PATH}?username=${username}&type=login.succeeded,${query}`);
  beforeAll(async () => {
    const body = { username, password: `secret-of-${username}` };
    expect((await as('admin', 'POST', '/entities/sec_User', { body })).status).toBe(201);
    expect((await logIn(body.password)).status).toBe(200);
    expect((await logIn('wrong')).status).toBe(400);
    await eventually(async () => expect((await pageOf('login.failed')).json().events).toHaveLength(2));
  });

  // Asserts contract/operations.md#security-events.
  test('logins are there with time, client, address and reason, the newest first; the response is not stored', async () => {
    const response = await pageOf('login.failed');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const nobody = { by: null, byClientId: null, role: null, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) };
    const address = expect.stringMatching(/[.:]/);
    const facts = { username, ...nobody, clientId: 'client', address, provider: null };
    const common = { id: expect.any(String), at: expect.stringMatching(/\.\d{3}Z$/), attributes: null, amount: null };
    expect(response.json()).toEqual({
      events: [
        { ...common, type: 'login.failed', ...facts, reason: 'bad-credentials', count: 1 },
        { ...common, type: 'login.succeeded', ...facts, reason: null, count: 1 },
      ],
      next: null,
    });
  });

  test('changes have the actor with client and address: of roles, users and sessions, also in the history of a role', async () => {
    const actor = { by: 'admin', byClientId: 'client', address: expect.stringMatching(/[.:]/) };
    const assignment = { username, roleCode: 'rest-minimal', roleType: 'resource' };
    const { id } = (await as('admin', 'POST', '/entities/sec_RoleAssignment', { body: assignment })).json();
    await as('admin', 'DELETE', `/entities/sec_RoleAssignment/${id}`);
    expect((await as('admin', 'DELETE', `/user-session?username=${username}`)).status).toBe(200);
    const history = async (query: string) => (await as('admin', 'GET', `${PATH}?username=${username}&${query}`)).json();
    await eventually(async () => {
      expect((await history('role=rest-minimal')).events).toMatchObject([
        { type: 'assignment.changed', role: 'rest-minimal', reason: 'taken', ...actor },
        { type: 'assignment.changed', role: 'rest-minimal', reason: 'given', ...actor },
      ]);
      expect((await history('type=user.changed,session.ended')).events).toMatchObject([
        { type: 'session.ended', reason: 'ended by an administrator', ...actor },
        { type: 'user.changed', reason: 'created', ...actor },
      ]);
    });
  });

  // Asserts contract/operations.md#security-events.
  test('the next page continues after the last event; types and a period limit the list', async () => {
    const first = (await pageOf('login.failed&limit=1')).json();
    const second = (await pageOf(`login.failed&limit=1&after=${first.next}`)).json();
    const typesOf = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);
    expect([typesOf(first), typesOf(second), second.next]).toEqual([['login.failed'], ['login.succeeded'], null]);
    expect(typesOf((await pageOf('login.blocked')).json())).toEqual(['login.succeeded']);
    expect((await pageOf('login.failed&from=2999-01-01T00:00:00Z')).json()).toEqual({ events: [], next: null });
    expect((await pageOf('login.failed&to=2020-01-01T00:00:00%2B01:00')).json()).toEqual({ events: [], next: null });
  });

  // Asserts contract/operations.md#security-events.
  test.each([
    ['type=login.unknown', /^type must be names/],
    ['type=', /^type must be names/],
    ['type=login.failed&type=login.failed', /^type must be names/],
    ['username=', /^username must be/],
    ['from=yesterday', /^from must be a point in time/],
    ['to=0001-01-01T00:00:00Z', /^to must be a point in time/],
    ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', /^from must not be after to/],
    ['after=x', /^after must be the next/],
    ['limit=201', /^limit must be an integer/],
  ])('%s is refused, naming the parameter', async (query, details) => {
    const response = await as('admin', 'GET', `${PATH}?${query}`);
    expect([response.status, response.json().details]).toEqual([400, expect.stringMatching(details)]);
  });

  // Asserts contract/operations.md#security-events.
  test('a user without the permission sees none, not even own ones', async () => {
    expect((await as('clerk', 'GET', `${PATH}?username=clerk`)).status).toBe(403);
  });
});

// contract/operations.md#identity-providers
test('an identity provider that is not configured returns 404', async () => {
  const list = await as('admin', 'GET', '/operations/identity-providers');
  expect([list.status, list.json()]).toEqual([200, expect.any(Array)]);
  const response = await as('admin', 'POST', '/operations/identity-providers/none/test');
  expect([response.status, response.json().details]).toEqual([404, 'There is no such identity provider']);
  expect((await as('clerk', 'POST', '/operations/identity-providers/none/test')).status).toBe(403);
});

describe('dead letters (contract/operations.md#dead-letters)', () => {
  test('a list has their number', async () => {
    expect((await as('admin', 'GET', '/operations/dead-letters')).json()).toEqual({
      total: expect.any(Number),
      letters: expect.any(Array),
    });
  });

  // Asserts contract/operations.md#dead-letters.
  test.each([
    ['GET', '/operations/dead-letters/none'],
    ['POST', '/operations/dead-letters/none/retry'],
    ['DELETE', '/operations/dead-letters/none'],
  ])('an unknown letter returns 404: %s %s', async (method, path) => {
    expect((await as('admin', method, path)).json()).toEqual({
      error: 'Not found',
      details: 'There is no such dead letter',
    });
  });

  // Asserts contract/operations.md#dead-letters.
  test.each(['0', '201', 'x'])('the limit %s is refused, naming the parameter', async (limit) => {
    const response = await as('admin', 'GET', `/operations/dead-letters?limit=${limit}`);
    expect([response.status, response.json().details]).toEqual([400, 'limit must be an integer from 1 to 200']);
  });
});

test('a test message needs a webhook that the caller may change (contract/operations.md#webhook-test)', async () => {
  const path = '/operations/webhooks/00000000-0000-4000-8000-000000000000/test';
  expect((await as('admin', 'POST', path)).status).toBe(404);
  expect((await as('clerk', 'POST', path)).status).toBe(403);
  expect((await as('admin', 'POST', '/operations/webhooks/no-id/test')).status).toBeLessThan(500);
});

describe('captions (contract/messages.md#captions)', () => {
  const captionOf = async (locale: string, target: string) =>
    (await as('admin', 'GET', `/messages/captions?locale=${locale}`))
      .json()
      .captions.find((each: { target: string }) => each.target === target);

  // Asserts contract/messages.md#captions.
  test('a caption has its key, its text and the source of it', async () => {
    expect(await captionOf('de', 'sales_Order')).toEqual({
      target: 'sales_Order',
      key: 'sales/Order',
      text: 'Auftrag',
      source: 'application',
      shown: 'Auftrag',
    });
  });

  // Asserts contract/messages.md#captions.
  test('an unknown locale is refused, naming the parameter', async () => {
    const response = await as('admin', 'GET', '/messages/captions?locale=xx');
    expect([response.status, response.json().details]).toEqual([
      400,
      expect.stringMatching(/^locale must be one of default, en/),
    ]);
  });
});

test('texts that are no captions need the right to read texts; an unknown kind is refused (contract/messages.md#captions)', async () => {
  const found = (await as('admin', 'GET', '/messages/captions?locale=de&kind=others')).json();
  expect(found.captions).toContainEqual({
    target: 'lintel.validation.UserUnknown.message',
    key: 'lintel.validation.UserUnknown.message',
    text: 'Es gibt keinen Benutzer mit diesem Namen',
    source: 'platform',
    shown: 'Es gibt keinen Benutzer mit diesem Namen',
  });
  expect((await as('clerk', 'GET', '/messages/captions?kind=others')).status).toBe(403);
  const unknown = await as('admin', 'GET', '/messages/captions?kind=all');
  expect([unknown.status, unknown.json().details]).toEqual([400, 'kind must be one of captions, others']);
});
