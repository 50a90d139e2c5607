import { type DataFixture, startData } from '../data-fixture.ts';
import { eventLoopBlock } from '../event-loop-block.ts';
import { desk } from './desk-application.ts';

/** Ten times the time for which a request may block the event loop. */
const MAX_BLOCK_MS = 5_000;

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    desk,
    { admin: { resourceRoles: ['system-full-access'] } },
    { 'svc.rest.limits.graph-nodes': '500' },
  );
});
afterAll(() => data.close());

async function call(method: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { result, blockMs } = await eventLoopBlock(() => data.send('admin', 'POST', `/services/${method}`, text));
  expect(blockMs).toBeLessThan(MAX_BLOCK_MS);
  return result;
}
const days = (count: number) => Array.from({ length: count }, () => '2026-01-01');
const refusal = expect.stringContaining('at most 500 are allowed (svc.rest.limits.graph-nodes)');

// Asserts contract/decisions.md#74.
test('a list parameter has the same maximum of values as the body of a write', async () => {
  expect((await call('d_Parameters/days', { days: days(499) })).status).toBe(200);
  const refused = await call('d_Parameters/days', { days: days(500) });
  expect([refused.status, refused.json().details]).toEqual([400, refusal]);
});

// Asserts contract/decisions.md#74.
test('a list that is sent as a text has this maximum, too, by POST and by GET', async () => {
  expect((await call('d_Parameters/days', { days: JSON.stringify(days(500)) })).status).toBe(200);
  const text = JSON.stringify(days(501));
  const refused = [
    await call('d_Parameters/days', { days: text }),
    await data.send('admin', 'GET', `/services/d_Parameters/days?${new URLSearchParams({ days: text })}`),
  ];
  for (const { status, json } of refused) expect([status, json().details]).toEqual([400, refusal]);
});

// Asserts contract/decisions.md#74.
test('instances in a list and nested instances are counted', async () => {
  const refused = await call('d_Parameters/people', { people: Array.from({ length: 501 }, () => ({ name: 'x' })) });
  expect([refused.status, refused.json().details]).toEqual([400, refusal]);
});

test.each([
  ['numbers', `{"value":[${'1,'.repeat(400_000)}1]}`, 400],
  ['objects', `{"value":[${'{},'.repeat(300_000)}{}]}`, 400],
  ['levels', `{"value":${'['.repeat(400_000)}`, 400],
  ['names', `{"value":{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}}`, 200],
  ['bytes', `{"value":"${'x'.repeat(1024 * 1024)}"}`, 413],
])('a body with very many %s does not block the event loop', async (_what, body, status) => {
  expect((await call('d_Parameters/echo', body)).status).toBe(status);
});
