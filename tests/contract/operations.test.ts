import { as } from './api.ts';

/** A masked value, none, or an address without a login and parameters. */
const HAS_NO_SECRET = /\*\*\*|^$|^[a-z]+:\/\/[^@?]*$/;

describe('processes (contract/operations.md#processes)', () => {
  test('each running process has its health', async () => {
    const response = await as('admin', 'GET', '/operations/processes');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const data = response.json().find(({ service }: { service: string }) => /^(data|standalone)$/.test(service));
    expect(data).toMatchObject({ id: expect.any(String), host: expect.any(String), reportedAt: expect.any(String) });
    expect(Object.values(data.checks)).not.toHaveLength(0);
  });

  test('the configuration in force has values and their sources, and no secret', async () => {
    const processes = (await as('admin', 'GET', '/operations/processes')).json();
    const { id } = processes.find(({ service }: { service: string }) => /^(data|standalone)$/.test(service));
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

  test('queues and what waits are counted', async () => {
    expect((await as('admin', 'GET', '/operations/queues')).json()).toEqual({
      queues: expect.any(Array),
      outbox: { count: expect.any(Number), oldestSeconds: expect.any(Number) },
      deliveries: { count: expect.any(Number), oldestSeconds: expect.any(Number) },
    });
  });

  test('addresses of dashboards and traces are null where none is configured (contract/operations.md#links)', async () => {
    expect((await as('admin', 'GET', '/operations/links')).json()).toEqual({ dashboards: null, traces: null });
  });

  test('slow statements are listed without values', async () => {
    const response = await as('admin', 'GET', '/operations/slow-statements?limit=5');
    expect(response.status).toBe(200);
    expect(response.json().length).toBeLessThanOrEqual(5);
  });
});

test('migrations have run, and the database fits the model (contract/operations.md#schema)', async () => {
  const state = (await as('admin', 'GET', '/operations/schema')).json();
  expect(state.migrations).toContainEqual({ name: '1763683200008-platform-report-runs', state: 'executed' });
  expect(state.findings.filter(({ severity }: { severity: string }) => severity === 'problem')).toEqual([]);
  expect(state.fits).toBe(true);
});

describe('dead letters (contract/operations.md#dead-letters)', () => {
  test('a list has their number', async () => {
    expect((await as('admin', 'GET', '/operations/dead-letters')).json()).toEqual({
      total: expect.any(Number),
      letters: expect.any(Array),
    });
  });

  test.each([
    ['GET', '/operations/dead-letters/none'],
    ['POST', '/operations/dead-letters/none/retry'],
    ['DELETE', '/operations/dead-letters/none'],
  ])('an unknown letter is 404: %s %s', async (method, path) => {
    expect((await as('admin', method, path)).json()).toEqual({
      error: 'Not found',
      details: 'There is no such dead letter',
    });
  });

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

  test('a caption has its key, its text and the source of it', async () => {
    expect(await captionOf('de', 'sales_Order')).toEqual({
      target: 'sales_Order',
      key: 'sales/Order',
      text: 'Auftrag',
      source: 'application',
      shown: 'Auftrag',
    });
  });

  test('an unknown locale is refused, naming the parameter', async () => {
    const response = await as('admin', 'GET', '/messages/captions?locale=xx');
    expect([response.status, response.json().details]).toEqual([
      400,
      expect.stringMatching(/^locale must be one of default, en/),
    ]);
  });
});
