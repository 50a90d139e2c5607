import { createConnection } from '../connection/create-connection.ts';
import { createEntityClient } from '../entities/create-entity-client.ts';
import type { FetchLike } from '../platform.ts';
import { createHistoryClient } from './create-history-client.ts';

type Sent = Parameters<FetchLike>[1] & { readonly url: string };

/** A history whose server responds as scripted, one response after the other, and its requests. */
function historyOf(...responses: readonly Response[]) {
  const sent: Sent[] = [];
  const fetch: FetchLike = async (url, init) => {
    const response = responses[sent.length] ?? Response.error();
    sent.push({ ...init, url: url.replace('http://server/rest/history/', '') });
    return response;
  };
  const connection = createConnection(
    { baseUrl: 'http://server', fetch, maxRetries: 0 },
    { numbers: { E: { price: true, at: { height: true } }, Line: { id: true, price: true } } },
  );
  return { history: createHistoryClient(connection).history('E', 'a/b'), sent, connection };
}

const json = (text: string, headers = {}): Response =>
  new Response(text, { headers: { 'content-type': 'application/json', ...headers } });

test('values of changes have the exact numbers of their attributes, also in children', async () => {
  const line = `{"entity":"Line","id":7,"attribute":"lines","operation":"created","attributes":[{"attribute":"price","new":2}]}`;
  const change = `{"operation":"updated","attributes":[{"attribute":"price","old":1.50,"new":10},
    {"attribute":"at","new":{"height":2.0}},{"attribute":"count","old":3}],"children":[${line}]}`;
  const { history } = historyOf(json(`[${change}]`), json(change));
  const expected = {
    operation: 'updated',
    attributes: [
      { attribute: 'price', old: '1.50', new: '10' },
      { attribute: 'at', new: { height: '2.0' } },
      { attribute: 'count', old: 3 },
    ],
    children: [
      {
        entity: 'Line',
        id: '7',
        attribute: 'lines',
        operation: 'created',
        attributes: [{ attribute: 'price', new: '2' }],
      },
    ],
  };
  expect((await history.page()).items).toEqual([expected]);
  expect(await history.diff('2026-01-01T00:00:00Z')).toEqual(expected);
});

test('all changes are read page by page, with the same filter', async () => {
  const link = '<http://server/rest/history/E/a%2Fb?limit=1&cursor=c%3D>; rel="next"';
  const { history, sent } = historyOf(
    json('[{"change":"1","attributes":[]}]', { link }),
    json('[{"change":"2","attributes":[]}]'),
  );
  const changes: string[] = [];
  const from = new Date('2026-01-02T03:04:05.678Z');
  for await (const { change } of history.all({ limit: 1, user: 'ann', from })) changes.push(change);
  expect(changes).toEqual(['1', '2']);
  const filter = 'limit=1&user=ann&from=2026-01-02T03%3A04%3A05.678Z';
  expect(sent.map(({ url }) => url)).toEqual([`E/a%2Fb?${filter}`, `E/a%2Fb?${filter}&cursor=c%3D`]);
});

test('a state of an instance that did not exist is undefined, and another failure an error', async () => {
  const missing = (): Response => new Response('', { status: 404 });
  const { history, sent } = historyOf(
    missing(),
    missing(),
    new Response('{"error":"Not found","details":"E has no history"}', {
      status: 404,
      headers: { 'content-type': 'application/json' },
    }),
  );
  const time = new Date(0);
  expect(await history.at(time, { fetchPlan: { name: true } })).toBeUndefined();
  expect(await history.diff(time, '2026-01-01T00:00:00Z')).toBeUndefined();
  await expect(history.at(time)).rejects.toMatchObject({ details: 'E has no history' });
  const [state, diff] = sent.map(({ url }) => new URL(url, 'http://server'));
  expect(Object.fromEntries(state?.searchParams ?? [])).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    fetchPlan: '{"entity":"E","properties":["name"]}',
  });
  expect(diff?.search).toBe('?from=1970-01-01T00%3A00%3A00.000Z&to=2026-01-01T00%3A00%3A00Z');
});

test('a restored instance keeps its tag, and the restoration is sent once', async () => {
  const { history, sent } = historyOf(json('{"id":"a/b"}', { etag: '"2"' }), new Response('', { status: 503 }));
  const time = '2026-01-01T00:00:00Z';
  const restored = await history.restore(time, { attributes: ['name'], ifMatch: '"1"', reason: 'wrong' });
  await expect(history.restore(new Date(time), { ifMatch: restored })).rejects.toMatchObject({ status: 503 });
  expect(sent.map(({ url, body, headers }) => [url, JSON.parse(body), headers['if-match']])).toEqual([
    ['E/a%2Fb/restore', { time, attributes: ['name'] }, '"1"'],
    ['E/a%2Fb/restore', { time: '2026-01-01T00:00:00.000Z' }, '"2"'],
  ]);
  expect(sent.map(({ headers }) => headers['x-change-reason'])).toEqual(['wrong', undefined]);
});

test.each([
  ['counted again', 'counted again'],
  ['für Ann: 5 €', 'für Ann: 5 €'],
  ['two\r\nlines\u0000', 'two lines '],
])('the reason %j is sent as the bytes of UTF-8', async (reason, received) => {
  const { connection, sent } = historyOf(json('{}'), json('{}'));
  const client = createEntityClient(connection);
  await client.update('E', 1, {}, { reason });
  await client.remove('E', 1, { reason });
  for (const { headers } of sent) {
    const header = headers['x-change-reason'] ?? '';
    expect(() => new Headers({ header })).not.toThrow();
    expect(Buffer.from(header, 'latin1').toString('utf8')).toBe(received);
  }
});

test('an undo has the trace of the caller', async () => {
  const { connection, sent } = historyOf(json('[]'));
  const trace = '0af7651916cd43dd8448eb211c80319c';
  await createHistoryClient(connection).history().undo('c', { trace });
  expect(sent[0]?.headers).toMatchObject({ traceparent: `00-${trace}-8448eb211c80319c-00` });
});

test('an undo in the background has the result of its run, or its error', async () => {
  const run = (members: object): Response => json(JSON.stringify({ id: 'r', ...members }));
  const queued = () => Response.json({ id: 'r', status: 'RUNNING' }, { status: 202 });
  const undone = [{ entity: 'E', id: 1, operation: 'updated' }];
  const error = { status: 409, error: 'The change cannot be taken back', details: 'Changed since: E 1: name' };
  const { connection, sent } = historyOf(
    ...[
      queued(),
      run({ status: 'SUCCEEDED', result: { count: 1, instances: undone } }),
      queued(),
      run({ status: 'FAILED', error }),
    ],
    ...[queued(), run({ status: 'CANCELLED' })],
  );
  const history = createHistoryClient(connection).history();
  expect(await history.undo('c')).toEqual(undone);
  await expect(history.undo('c')).rejects.toMatchObject(error);
  await expect(history.undo('c')).rejects.toMatchObject({ status: 409 });
  expect(sent[0]?.headers).toMatchObject({ prefer: 'respond-async' });
  expect(sent[1]?.url).toMatch(/service-runs\/r$/);
});
