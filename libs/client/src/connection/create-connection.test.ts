import { NetworkError, TimeoutError } from '../errors/lintel-error.ts';
import { RestError, UnavailableError } from '../errors/rest-error.ts';
import type { FetchLike } from '../platform.ts';
import type { Call } from './call.ts';
import { type ConnectionOptions, createConnection } from './create-connection.ts';

type Scripted = Response | Error;
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const busy = (status = 503): Response =>
  json(status, { error: 'Service unavailable', details: '' }, { 'retry-after': '0' });

/** A connection to a server that responds as scripted, one response after the other, and the headers of each request. */
function connect(responses: readonly Scripted[], options: Partial<ConnectionOptions> = {}) {
  const sent: Record<string, string>[] = [];
  const fetch: FetchLike = async (_url, { headers }) => {
    const next = responses[sent.length];
    sent.push(headers);
    if (next === undefined) throw new Error('not scripted');
    if (next instanceof Error) throw next;
    return next;
  };
  return { connection: createConnection({ baseUrl: 'http://server/', fetch, ...options }), sent };
}

const READ: Call = { method: 'GET', path: '/rest/x', repeatable: true };
const WRITE: Call = { method: 'POST', path: '/rest/x', json: {}, repeatable: false };
const lost = new TypeError('fetch failed');

test.each<[string, Call, readonly Scripted[], number]>([
  ['a read after a lost connection', READ, [lost, json(200, 1)], 2],
  ['a read that is refused for a while', READ, [busy(), busy(502), json(200, 1)], 3],
  ['a write that was not executed', WRITE, [busy(429), json(200, 1)], 2],
  [
    'a write with a key whose first attempt runs',
    { ...WRITE, repeatable: true },
    [
      json(409, { error: 'Request in progress' }, { 'x-error-code': 'REQ_IN_PROGRESS', 'retry-after': '0' }),
      json(200, 1),
    ],
    2,
  ],
])('%s is sent again', async (_case, call, responses, attempts) => {
  const { connection, sent } = connect(responses);
  expect((await connection.read(call)).body).toBe(1);
  expect(sent).toHaveLength(attempts);
});

test.each<[string, Call, readonly Scripted[], unknown]>([
  ['a write whose connection was lost', WRITE, [lost], NetworkError],
  ['a write that was perhaps executed', WRITE, [busy()], UnavailableError],
  [
    'a conflict',
    { ...WRITE, repeatable: true },
    [json(409, {}, { 'x-error-code': 'DATA_UNIQUE_VIOLATION' })],
    RestError,
  ],
  ['a mistake', READ, [json(400, { error: 'Bad', details: 'x' })], RestError],
  ['what would wait too long', READ, [json(503, {}, { 'retry-after': '3600' })], UnavailableError],
  ['a stream, which is read once', { ...WRITE, once: true }, [busy(429)], UnavailableError],
])('%s is not sent again', async (_case, call, responses, kind) => {
  const { connection, sent } = connect(responses);
  await expect(connection.read(call)).rejects.toBeInstanceOf(kind);
  expect(sent).toHaveLength(1);
});

test('what fails each time is an error after the last attempt', async () => {
  const { connection, sent } = connect([busy(), busy(), busy()], { maxRetries: 2 });
  await expect(connection.read(READ)).rejects.toMatchObject({ name: 'UnavailableError', status: 503, retryAfterMs: 0 });
  expect(sent).toHaveLength(3);
});

test('a refused token is renewed once, also for a write', async () => {
  const refused: string[] = [];
  const token = { token: () => 'old', renew: async (old: string) => (refused.push(old) > 0 ? 'new' : undefined) };
  const { connection, sent } = connect([json(401, { error: 'unauthorized' }), json(200, 1)], { token });
  await connection.read(WRITE);
  expect([refused, sent.map(({ authorization }) => authorization)]).toEqual([['old'], ['Bearer old', 'Bearer new']]);
  const twice = connect([json(401, {}), json(401, {})], { token });
  await expect(twice.connection.read(READ)).rejects.toMatchObject({ name: 'UnauthorizedError' });
});

test('an attempt ends after its time, and with the signal of the caller', async () => {
  const fetch: FetchLike = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const connection = createConnection({ baseUrl: 'http://server', fetch, maxRetries: 0 });
  await expect(connection.read({ ...READ, timeoutMs: 5 })).rejects.toBeInstanceOf(TimeoutError);
  const leaving = new AbortController();
  const read = connection.read({ ...READ, signal: leaving.signal });
  leaving.abort('left');
  await expect(read).rejects.toBe('left');
});

test('each form of an error has code, texts, trace and the body', async () => {
  const headers = { 'x-error-code': 'DATA_VALIDATION_FAILED', 'x-trace-id': 'abc' };
  const items = [{ message: 'may not be null', path: 'name', messageTemplate: '', invalidValue: null }];
  const { connection } = connect([
    json(400, items, headers),
    json(
      400,
      { title: 'Bad', detail: 'x', code: 'REQ_X', errors: items },
      { 'content-type': 'application/problem+json' },
    ),
    new Response('<html>', { status: 500 }),
    json(401, { error: 'unauthorized', error_description: 'No token' }),
  ]);
  const failure = () => connection.read(WRITE).catch((error: unknown) => error);
  expect(await failure()).toMatchObject({
    name: 'ValidationError',
    code: 'DATA_VALIDATION_FAILED',
    traceId: 'abc',
    items,
  });
  expect(await failure()).toMatchObject({ name: 'ValidationError', code: 'REQ_X', items });
  expect(await failure()).toMatchObject({ name: 'RestError', code: 'HTTP_500', body: '<html>' });
  expect(await failure()).toMatchObject({ name: 'UnauthorizedError', message: '401 unauthorized: No token' });
});

test('the signal ends the wait for a token, and for its renewal', async () => {
  const never = () => new Promise<never>(() => {});
  const read = (token: ConnectionOptions['token']) => {
    const leaving = new AbortController();
    setImmediate(() => leaving.abort('left'));
    return connect([json(401, {})], { token }).connection.read({ ...READ, signal: leaving.signal });
  };
  await expect(read(never)).rejects.toBe('left');
  await expect(read({ token: () => 'old', renew: never })).rejects.toBe('left');
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])('a timeout of %d ms is none', async (timeoutMs) => {
  const fetch: FetchLike = (_url, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => resolve(json(200, 1)), 10);
    });
  const connection = createConnection({ baseUrl: 'http://server', fetch, maxRetries: 0, timeoutMs });
  expect((await connection.read(READ)).body).toBe(1);
});
