import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../platform.ts';
import { type Change, followChanges } from './follow-changes.ts';

/** A feed that sends these texts, then ends. */
const feed = (...texts: readonly string[]): Response =>
  new Response(ReadableStream.from(texts.map((text) => new TextEncoder().encode(text))), {
    headers: { 'content-type': 'text/event-stream' },
  });

test('a feed continues after the last event, with exact ids, and ends with the signal', async () => {
  const asked: (string | undefined)[] = [];
  const feeds = [
    feed(
      'retry: 1\nid: e1\n\n',
      'retry: soon\nevent: created\nid: e2\ndata: {"entity":"E","id":9007199254740993,',
      '"change":"created","attributes":["a\u2028b"]}\n\n: heartbeat\n\nid: e3\n\n',
    ),
    feed('event: reset\r\ndata: {}\r\n\r\n'),
  ];
  const fetch: FetchLike = async (_url, { headers }) => {
    asked.push(headers['last-event-id']);
    return feeds.shift() ?? feed();
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch }, { numbers: { E: { id: true } } });
  const leaving = new AbortController();
  const seen: Change[] = [];
  for await (const change of followChanges(connection, 'E', { signal: leaving.signal })) {
    seen.push(change);
    if (change.change === 'reset') leaving.abort();
  }
  expect(seen).toEqual([
    { entity: 'E', id: '9007199254740993', change: 'created', attributes: ['a\u2028b'], isOwn: false, eventId: 'e2' },
    { change: 'reset', eventId: 'e3' },
  ]);
  expect(asked).toEqual([undefined, 'e3']);
});

test('changes by requests of this client are own ones, also those that arrive before the response', async () => {
  const sent = (trace?: string): string =>
    `event: updated\ndata: ${JSON.stringify({ entity: 'E', id: 1, change: 'updated', attributes: ['a'], trace })}\n\n`;
  const written = Promise.withResolvers<void>();
  const fetch: FetchLike = async (_url, { method }) => {
    if (method === 'GET') return feed(sent('own'), sent('other'), sent());
    await written.promise;
    return Response.json({}, { headers: { 'x-trace-id': 'own' } });
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch });
  const writing = connection.read({ method: 'PUT', path: '/x', json: {}, repeatable: false });
  const changes = followChanges(connection, 'E');
  const first = changes.next();
  written.resolve();
  const seen = [await first, await changes.next(), await changes.next()];
  expect(seen.map(({ value }) => value)).toMatchObject([{ isOwn: true }, { isOwn: false }, { isOwn: false }]);
  expect(seen[0]?.value).not.toHaveProperty('trace');
  await Promise.all([writing, changes.return()]);
});

test('a silent connection is dead, and a refusal is an error', async () => {
  let connections = 0;
  const fetch: FetchLike = async (_url, { signal }) => {
    connections += 1;
    if (connections > 1) return Response.json({ error: 'Reading forbidden', details: '' }, { status: 403 });
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('retry: 1\n\n'));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch, maxRetries: 0 });
  const changes = followChanges(connection, 'E', { silenceMs: 20 });
  await expect(changes.next()).rejects.toMatchObject({ name: 'ForbiddenError' });
  expect(connections).toBe(2);
});

test('a feed that is refused for a while waits as long as the server says', async () => {
  const { setTimeout: start } = globalThis;
  const waits: unknown[] = [];
  let connections = 0;
  const fetch: FetchLike = async () => {
    connections += 1;
    if (connections === 1) return feed('retry: 1\n\n');
    if (connections === 2) return new Response('', { status: 503, headers: { 'retry-after': '7' } });
    return new Response('', { status: 403 });
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch, maxRetries: 0 });
  const noted = (work: () => void, ms?: number) => {
    waits.push(ms);
    return start(work, ms === 7000 ? 0 : ms);
  };
  Object.assign(globalThis, { setTimeout: noted });
  try {
    await expect(followChanges(connection, 'E').next()).rejects.toMatchObject({ status: 403 });
  } finally {
    Object.assign(globalThis, { setTimeout: start });
  }
  expect(waits).toContain(7000);
});
