import { type DataFixture, startData } from '../../data-fixture.ts';
import { eventLoopBlock } from '../../event-loop-block.ts';
import { shop } from '../../shop-application.ts';

const MEBIBYTE = 1024 * 1024;
/** Ten times the time for which a request may block the event loop. */
const MAX_BLOCK_MS = 5_000;

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    shop,
    {
      admin: { resourceRoles: ['system-full-access'] },
      loader: { resourceRoles: ['system-full-access', 'clerk'] },
      local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
      stranger: { resourceRoles: ['rest-minimal'] },
    },
    { 'svc.rest.limits.role.clerk.batch-items': '1500' },
  );
});
afterAll(() => data.close());

const repeated = (unit: string, bytes: number, open = '[', close = ']') =>
  open + Array.from({ length: Math.floor(bytes / (unit.length + 1)) }, () => unit).join(',') + close;

async function refusal(user: string, method: string, path: string, body: string) {
  const { result, blockMs } = await eventLoopBlock(() => data.send(user, method, path, body));
  expect(blockMs).toBeLessThan(MAX_BLOCK_MS);
  // The process continues.
  expect((await data.send('admin', 'GET', '/entities/t_Tag?limit=1')).status).toBe(200);
  return [result.status, result.json()];
}

const tooMany = (details: string) => [400, { error: 'Request limit exceeded', details }];

// Asserts contract/decisions.md#74.
test('a body over the maximum length is refused', async () => {
  const [status] = await refusal('admin', 'POST', '/entities/t_Tag', repeated('{}', 4 * MEBIBYTE));
  expect(status).toBe(413);
});

// Asserts contract/decisions.md#74.
test.each(['POST', 'PUT', 'DELETE'])('%s: more instances than a batch may have are refused', async (method) => {
  const body = repeated('{}', 0.9 * MEBIBYTE);
  const items = (body.length - 1) / 3;
  expect(await refusal('admin', method, '/entities/t_Tag', body)).toEqual(
    tooMany(`The request body has ${items} items, at most 1000 are allowed (svc.rest.limits.batch-items)`),
  );
});

// Asserts contract/decisions.md#74.
test('ids of a batch are counted as well', async () => {
  const ids = JSON.stringify(Array.from({ length: 1_001 }, () => crypto.randomUUID()));
  expect(await refusal('admin', 'DELETE', '/entities/t_Tag', ids)).toEqual(
    tooMany('The request body has 1001 items, at most 1000 are allowed (svc.rest.limits.batch-items)'),
  );
});

// Asserts contract/decisions.md#74.
test.each([
  ['objects', repeated('{}', 0.9 * MEBIBYTE, '{"lines":[', ']}')],
  ['numbers', repeated('1', 0.9 * MEBIBYTE, '{"tags":[', ']}')],
  ['lists', repeated('[]', 0.9 * MEBIBYTE, '[{"unknown":[', ']}]')],
])('more nested %s than a body may have are refused', async (_what, body) => {
  const [status, error] = await refusal('admin', 'POST', '/entities/t_Order', body);
  expect([status, error.details]).toEqual([400, expect.stringContaining('(svc.rest.limits.graph-nodes)')]);
});

// Asserts contract/decisions.md#74.
test.each([
  ['POST', '/entities/t_Order', '[', 'Cannot parse JSON'],
  ['POST', '/entities/t_Order', '{"lines":', 'Cannot parse JSON'],
  ['PUT', '/entities/t_Order', '[', 'Cannot parse JSON'],
])('%s %s: a body of a hundred thousand levels of %s is refused', async (method, path, level) => {
  const [status, error] = await refusal('admin', method, path, level.repeat(100_000));
  expect([status, error.details]).toEqual([400, 'The request body is nested too deeply']);
});

test.each([
  ['many names', () => `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ['escaped texts', () => JSON.stringify({ number: '\n'.repeat(500_000) })],
  ['the same name many times', () => repeated('"a":1', 0.9 * MEBIBYTE, '{', '}')],
  ['a number of many digits', () => `{"total":${'1'.repeat(MEBIBYTE - 100)}}`],
  ['a text of many characters', () => JSON.stringify({ number: 'x'.repeat(MEBIBYTE - 100) })],
])('a body of %s does not block the event loop', async (_what, body) => {
  expect((await refusal('admin', 'POST', '/entities/t_Order', body()))[0]).toBe(400);
});

test('a caller without the right to create is refused before the body is read', async () => {
  const body = JSON.stringify({ notes: 'x'.repeat(500_000), lines: [1] }).slice(0, -1);
  expect((await refusal('stranger', 'POST', '/entities/t_Order', body))[0]).toBe(403);
});

// Asserts contract/decisions.md#74.
test('a role raises the limit of a batch', async () => {
  const tags = (count: number) => Array.from({ length: count }, () => ({ name: crypto.randomUUID().slice(0, 20) }));
  expect((await data.send('admin', 'POST', '/entities/t_Tag', tags(1_001))).status).toBe(400);
  expect((await data.send('loader', 'POST', '/entities/t_Tag', tags(1_500))).status).toBe(201);
  expect((await data.send('loader', 'POST', '/entities/t_Tag', tags(1_501))).status).toBe(400);
});

describe('at the limits', () => {
  let customer = '';
  beforeAll(async () => {
    customer = (await data.send('admin', 'POST', '/entities/t_Customer', { name: 'x' })).json().id;
  });

  async function timed(method: string, path: string, body: unknown, status: number, user = 'admin') {
    const text = JSON.stringify(body);
    const { result, blockMs } = await eventLoopBlock(() => data.send(user, method, path, text));
    expect([result.status, result.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
    expect(blockMs).toBeLessThan(MAX_BLOCK_MS);
    return result;
  }

  test('an order with ten thousand objects is created, changed and deleted', async () => {
    const lines = Array.from({ length: 999 }, (_, at) => ({
      quantity: at + 1,
      discounts: Array.from({ length: 9 }, (_discount, percent) => ({ percent })),
    }));
    const body = { number: 'GREAT', customer: { id: customer }, lines };
    const { id } = (await timed('POST', '/entities/t_Order', body, 201)).json();
    const plan = {
      name: 'lines',
      fetchPlan: { properties: [{ name: 'discounts', fetchPlan: { properties: ['percent'] } }] },
    };
    const query = new URLSearchParams({ fetchPlan: JSON.stringify({ entity: 't_Order', properties: [plan] }) });
    const stored = (await data.send('admin', 'GET', `/entities/t_Order/${id}?${query}`)).json();
    const changed = stored.lines.map((line: { id: string; discounts: { id: string }[] }, position: number) => ({
      id: line.id,
      quantity: 5,
      position,
      discounts: line.discounts.map((discount) => ({ id: discount.id, percent: 50 })),
    }));
    await timed('PUT', `/entities/t_Order/${id}`, { lines: changed }, 200);
    await timed('DELETE', `/entities/t_Order/${id}`, undefined, 204);
  });

  test('ten thousand violations are reported', async () => {
    const lines = Array.from({ length: 999 }, () => ({
      quantity: 1,
      discounts: Array.from({ length: 9 }, () => ({ percent: 1_000 })),
    }));
    const response = await timed(
      'POST',
      '/entities/t_Order',
      { number: 'WRONG', customer: { id: customer }, lines },
      400,
    );
    expect(response.json()).toHaveLength(2 * 8_991);
  });

  test('a thousand instances are created, changed and deleted', async () => {
    const bodies = Array.from({ length: 1_000 }, (_, at) => ({ code: `C${at}`, name: 'x'.repeat(50) }));
    const created = (await timed('POST', '/entities/t_Category', bodies, 201)).json() as { id: string }[];
    const exchanged = created.map(({ id }, at) => ({ id, code: `C${at + 1}` }));
    await timed('PUT', '/entities/t_Category', exchanged, 200);
    await timed('DELETE', '/entities/t_Category', created, 204);
  });

  test('a thousand instances, some hidden by policies, are created, changed and deleted', async () => {
    const bodies = Array.from({ length: 1_000 }, () => ({ name: 'x', address: { country: 'DE' }, tags: ['a', 'b'] }));
    const created = (await timed('POST', '/entities/t_Customer', bodies, 201, 'local')).json() as { id: string }[];
    const changed = created.map(({ id }) => ({ id, name: 'y', tags: ['c'], favourites: [] }));
    await timed('PUT', '/entities/t_Customer', changed, 200, 'local');
    await timed('DELETE', '/entities/t_Customer', created, 204, 'local');
  });

  test('a thousand instances with composite keys are created and returned', async () => {
    const rates = Array.from({ length: 1_000 }, (_, at) => ({
      id: { currency: 'EUR', validOn: new Date(at * 86_400_000).toISOString().slice(0, 10) },
      rate: 1,
    }));
    await timed('POST', '/entities/t_Rate?responseFetchPlan=_base', rates, 201);
  });
});
