import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError, validationError } from '@lintel/errors';
import { createLogger } from '@lintel/telemetry';
import { eventually } from '@lintel/testkit';
import { readBody } from '../requests/body/read-body.ts';
import { sendStream } from '../responses/send-stream.ts';
import { listen, type RunningServer } from './listen.ts';
import { createRouter, createServiceApp, createServiceListener, type DirectHandler } from './service-app.ts';

describe('a service application', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  let server: RunningServer;
  let ready = true;

  beforeAll(async () => {
    const app = createServiceApp({
      service: 'test',
      internalSecret: undefined,
      logger,
      readiness: { database: async () => ready, broken: () => true },
      configure(app) {
        const router = createRouter();
        router.get('/:name/:id', (request, response) => void response.json(request.params));
        router.put('/:name/:id', (_request, response) => void response.end());
        app.use('/rest/entities', router);
        app.post('/rest/body', async (request, response) => {
          response.end(String((await readBody(request, 10)).length));
        });
        app.get('/rest/stream', (_request, response) =>
          sendStream(
            response,
            (async function* () {
              yield Buffer.from('begin');
              await sleep(20);
              throw new Error('broken off');
            })(),
          ),
        );
        app.get('/rest/bug', () => {
          throw new TypeError('the secret reason');
        });
        app.get('/rest/invalid', () => {
          throw validationError([{ message: 'm', messageTemplate: '{t}', path: 'a', invalidValue: null }]);
        });
        app.get('/rest/missing', () => {
          throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
        });
        app.get('/rest/away', () => {
          throw new PlatformError('DATA_UNAVAILABLE', 'The database cannot be reached');
        });
        app.get('/rest/overloaded', () => {
          throw new PlatformError('REQ_OVERLOADED', 'Try again later');
        });
        app.get('/rest/collided', () => {
          throw new PlatformError('DATA_UNAVAILABLE', '', { headers: { 'Retry-After': '7' } });
        });
        app.get('/oauth/token', () => {
          throw new PlatformError('REQ_INVALID_PARAMETER', 'grant_type is missing');
        });
      },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0, maxHeaderBytes: 4096 });
  });
  afterAll(() => server.close());

  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };

  test('a response that breaks off is incomplete for every client, and in the log', async () => {
    lines.length = 0;
    await expect(call('/rest/stream')).rejects.toThrow();
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /rest/stream HTTP/1.0\r\n\r\n');
    const [error] = await once(socket.resume(), 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    await eventually(() => expect(lines.filter(({ cut }) => cut === true)).toHaveLength(2));
    lines.length = 0;
  });

  test('a refusal for the load writes no line of its own as an error does', async () => {
    lines.length = 0;
    expect((await call('/rest/away')).status).toBe(503);
    expect((await call('/rest/overloaded')).status).toBe(503);
    expect(lines.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(['DATA_UNAVAILABLE']);
    lines.length = 0;
  });

  test('answers liveness and readiness with named checks', async () => {
    expect(JSON.parse((await call('/health/live')).text)).toEqual({ service: 'test', status: 'live' });
    expect((await call('/health/ready')).status).toBe(200);
    ready = false;
    const response = await call('/health/ready');
    ready = true;
    expect(response.status).toBe(503);
    expect(JSON.parse(response.text).checks).toEqual({ database: 'down', broken: 'up' });
  });

  test('answers an unknown path with 404 in the API shape', async () => {
    const response = await call('/rest/nothing?access_token=abc');
    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toEqual({ error: 'Not found', details: 'There is nothing at /rest/nothing' });
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('answers a wrong method with 405 and Allow, also inside mounted routers', async () => {
    const response = await call('/rest/entities/sales_Order/1', { method: 'PATCH' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, PUT');
    expect(JSON.parse(response.text).error).toBe('Method not allowed');
    expect((await call('/rest/body')).headers.get('allow')).toBe('OPTIONS, POST');
    const options = await call('/rest/entities/sales_Order/1', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, HEAD, OPTIONS, PUT']);
  });

  // Asserts contract/conventions.md#endpoints, contract/decisions.md#34.
  test('accepts a trailing slash and distinguishes letters', async () => {
    expect((await call('/rest/entities/a/1/')).status).toBe(200);
    expect((await call('/REST/entities/a/1')).status).toBe(404);
    expect((await call('/rest/Bug')).status).toBe(404);
  });

  // Asserts contract/conventions.md#endpoints.
  test('hides the cause of a bug and logs it under the trace id of the answer', async () => {
    const response = await call('/rest/bug', {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    });
    expect(response.status).toBe(500);
    expect(response.text).toBe('{"error":"Server error","details":""}');
    expect(response.headers.get('x-trace-id')).toBe('0af7651916cd43dd8448eb211c80319c');
    const line = lines.find((entry) => entry['level'] === 'error');
    expect(line).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      error: { message: 'the secret reason' },
    });
  });

  describe('a client that accepts application/problem+json', () => {
    const problem = { headers: { accept: 'application/json, application/problem+json' } };

    test.each([
      ['/rest/nothing', { status: 404, title: 'Not found', detail: 'There is nothing at /rest/nothing' }],
      ['/rest/bug', { status: 500, title: 'Server error' }],
      ['/rest/missing', { status: 404 }],
    ])('gets the error of %s as a problem, with its code in a header', async (path, body) => {
      const response = await call(path, problem);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        body.status,
        'application/problem+json',
      ]);
      const received = JSON.parse(response.text);
      expect(received).toMatchObject(body);
      expect(received.type).toBe(`urn:lintel:error:${response.headers.get('x-error-code')}`);
      expect(received.traceId).toBe(response.headers.get('x-trace-id'));
    });

    test('gets the violated rules as errors', async () => {
      const received = JSON.parse((await call('/rest/invalid', problem)).text);
      expect(received.errors).toEqual([{ message: 'm', messageTemplate: '{t}', path: 'a', invalidValue: null }]);
    });
  });

  test('says with every 503 when to ask again', async () => {
    const responses = [await call('/rest/away'), await call('/rest/collided'), await call('/rest/bug')];
    expect(responses.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '1'],
      [503, '7'],
      [500, null],
    ]);
  });

  test('renders validation failures as a bare array, empty bodies and the OAuth form', async () => {
    expect(JSON.parse((await call('/rest/invalid')).text)).toEqual([
      { message: 'm', messageTemplate: '{t}', path: 'a', invalidValue: null },
    ]);
    const missing = await call('/rest/missing');
    expect([missing.status, missing.text]).toEqual([404, '']);
    expect(JSON.parse((await call('/oauth/token')).text)).toEqual({
      error: 'invalid_request',
      error_description: 'grant_type is missing',
    });
  });

  test('answers a path that cannot be decoded with 400', async () => {
    expect((await call('/rest/entities/a/%E0%A4%A')).status).toBe(400);
  });

  test('reads bodies up to the limit and answers 413 above it, announced or chunked', async () => {
    expect((await call('/rest/body', { method: 'POST', body: '0123456789' })).text).toBe('10');
    const announced = await call('/rest/body', { method: 'POST', body: '01234567890' });
    expect(announced.status).toBe(413);
    expect(JSON.parse(announced.text).details).toContain('10 bytes');
    const chunked = await call('/rest/body', {
      method: 'POST',
      body: new Blob(['0123456789', 'abc']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test('answers too large a head with 431 in the API shape', async () => {
    const response = await call('/rest/bug', { headers: { 'x-long': 'x'.repeat(5000) } });
    expect(response.status).toBe(431);
    expect(JSON.parse(response.text).error).toBe('Request header fields too large');
  });

  test('logs one line per request with the route template and without values or query', async () => {
    lines.length = 0;
    await call('/rest/entities/sales_Order/secretid?filter=secretfilter');
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ method: 'GET', route: '/rest/entities/:name/:id', status: 200 });
    expect(JSON.stringify(lines)).not.toMatch(/secretid|secretfilter/);
  });
});

test('closing a server waits for the request in flight and reports not ready', async () => {
  let finish: (() => void) | undefined;
  const app = createServiceApp({
    service: 'test',
    internalSecret: undefined,
    logger: createLogger({ service: 'test', level: 'silent' }),
    readiness: {},
    configure: (app) =>
      app.get('/slow', async (_request, response) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        response.end('done');
      }),
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const response = fetch(`${server.url}/slow`).then((response) => response.text());
  while (finish === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = server.close();
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow();
  finish();
  expect(await response).toBe('done');
  await closed;
});

test('a server that closes with a delay still serves meanwhile, says that it is not ready and keeps no connection', async () => {
  const app = createServiceApp({
    service: 'test',
    internalSecret: undefined,
    logger: createLogger({ service: 'test', level: 'silent' }),
    readiness: {},
    configure: (app) => app.get('/quick', (_request, response) => void response.end('done')),
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, delayMs: 1_000 });
  const call = async (path: string) => {
    const response = await fetch(server.url + path);
    return [response.status, response.headers.get('connection'), (await response.text()).slice(0, 4)];
  };
  expect(await call('/quick')).toEqual([200, 'keep-alive', 'done']);
  const closed = server.close();
  expect(await call('/quick')).toEqual([200, 'close', 'done']);
  expect((await call('/health/ready')).slice(0, 2)).toEqual([503, 'close']);
  await closed;
  await expect(call('/quick')).rejects.toThrow();
});

describe('requests that are handled without Express', () => {
  const lines: Record<string, unknown>[] = [];
  const direct: Record<string, DirectHandler> = {
    '/direct': async (_request, response) => void response.end('direct'),
    '/direct/refused': () => {
      throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
    },
    '/direct/missing': async () => {
      throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
    },
    '/direct/bug': async () => {
      throw new TypeError('the secret reason');
    },
  };
  const open = () =>
    listen(
      createServiceListener(
        {
          service: 'test',
          internalSecret: undefined,
          logger: createLogger({
            service: 'test',
            destination: { write: (line) => void lines.push(JSON.parse(line)) },
          }),
          readiness: {},
          configure(app) {
            app.get('/routed', (_request, response) => void response.end('routed'));
          },
        },
        ({ url = '' }) => direct[url],
      ),
      { host: '127.0.0.1', port: 0, delayMs: 1_000 },
    );
  let server: RunningServer;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    lines.length = 0;
  });

  test.each([
    ['/direct', 200, 'direct'],
    ['/direct/refused', 404, ''],
    ['/direct/missing', 404, ''],
    ['/direct/bug', 500, '{"error":"Server error","details":""}'],
    ['/routed', 200, 'routed'],
  ])('%s has a trace id, a line in the access log and the same errors', async (path, status, body) => {
    const response = await fetch(server.url + path);
    expect([response.status, await response.text()]).toEqual([status, body]);
    const traceId = response.headers.get('x-trace-id');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    await eventually(() =>
      expect(lines).toContainEqual(expect.objectContaining({ message: 'request', status, traceId })),
    );
  });

  test('a server that closes is not ready, whichever way its requests go', async () => {
    const closing = await open();
    const ready = () => fetch(`${closing.url}/health/ready`);
    expect((await ready()).status).toBe(200);
    const closed = closing.close();
    expect((await ready()).status).toBe(503);
    expect((await fetch(`${closing.url}/direct`)).headers.get('connection')).toBe('close');
    await closed;
  });
});
