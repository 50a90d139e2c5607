import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { insufficientAuthentication } from '@lintel/errors';
import { eventually, freePort } from '@lintel/testkit';
import type { DatasetClient } from './dataset-client.ts';
import { createHttpDatasetClient, type HttpDatasetClient } from './http-dataset-client.ts';
import { createServiceTokenSource } from './service-tokens.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

describe('over HTTP', () => {
  let server: Server;
  let url: string;
  let handle: Handler = () => {};
  let client: HttpDatasetClient;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      handle(request, response, body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = createHttpDatasetClient({ dataInternalUrls: [url], silenceMs: 120_000 });
  });
  afterAll(async () => {
    await client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const read = (using: DatasetClient = client, signal = new AbortController().signal) =>
    Array.fromAsync(using.read({ entity: 'x_Order', sort: 'number' }, async () => 'token', signal));
  const respond =
    (text: string, status = 200): Handler =>
    (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/x-ndjson' }).end(text);
    };

  test('a data set is asked for with the token of the run and read exactly', async () => {
    let asked: unknown;
    handle = (request, response, body) => {
      asked = [request.method, request.url, request.headers.authorization, JSON.parse(body)];
      response.write('{"amount":10.50,"id":1');
      setTimeout(() => response.end('2345678901234567890}\n{"name":"Größe"}\n{"$end":2}\n'), 20);
    };
    expect(JSON.stringify(await read())).toBe('[{"amount":10.50,"id":12345678901234567890},{"name":"Größe"}]');
    expect(asked).toEqual(['POST', '/internal/datasets', 'Bearer token', { entity: 'x_Order', sort: 'number' }]);
  });

  test('rows of a query come with what describes them, and the parent that they are for', async () => {
    let asked: unknown;
    handle = (_request, response, body) => {
      asked = JSON.parse(body);
      const lines = ['{"$columns":[{"name":"n","type":"decimal"}]}', '{"$at":1}', '{"n":1.10}', '{"n":2}', '{"$at":4}'];
      response.end([...lines, '{"n":3}', '{"$end":3}'].join('\n'));
    };
    const query = { query: 'select 1', values: {}, locale: 'de' };
    const rows = await Array.fromAsync(client.select(query, async () => 'token', new AbortController().signal));
    const columns = [{ name: 'n', type: 'decimal' }];
    expect(rows.map(({ at, row }) => `${at} ${JSON.stringify(row)}`)).toEqual([
      '1 {"n":1.10}',
      '1 {"n":2}',
      '4 {"n":3}',
    ]);
    expect(rows.map((row) => row.columns)).toEqual([columns, columns, columns]);
    expect(asked).toEqual(query);
  });

  test('an inline plan is sent with the entity of the data set', async () => {
    let plan: unknown;
    handle = (_request, response, body) => {
      plan = JSON.parse(body).fetchPlan;
      response.end('{"$end":0}');
    };
    const query = { entity: 'x_Order', fetchPlan: { properties: ['number'] } };
    await Array.fromAsync(client.read(query, async () => 'token', new AbortController().signal));
    expect(plan).toEqual({ entity: 'x_Order', properties: ['number'] });
  });

  test('an empty data set has no rows', async () => {
    handle = respond('{"$end":0}');
    expect(await read()).toEqual([]);
  });

  test.each([
    ['without its end mark', '{"a":1}\n', /DATA_UNAVAILABLE|cannot be read/],
    ['with fewer rows than announced', '{"a":1}\n{"$end":2}\n', /announced 2 rows and sent 1/],
    ['with rows after the end', '{"$end":0}\n{"a":1}\n', /after the end/],
    ['with something else', '[1]\n{"$end":1}\n', /no object/],
    ['with broken JSON', '{"a":\n{"$end":1}\n', /JSON/],
  ])('a data set %s is refused', async (_, text, message) => {
    handle = respond(text);
    await expect(read()).rejects.toThrow(message);
  });

  test('a connection cut in the middle is "unavailable"', async () => {
    handle = (_request, response) => {
      response.writeHead(200);
      response.write('{"a":1}\n');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(read()).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE', status: 503 });
  });

  test('a service that is silent is "unavailable"', async () => {
    handle = () => {};
    const impatient = createHttpDatasetClient({ dataInternalUrls: [url], silenceMs: 100 });
    await expect(read(impatient)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
    await impatient.close();
  });

  test('a service that cannot be reached is "unavailable"', async () => {
    const lost = createHttpDatasetClient({
      dataInternalUrls: [`http://127.0.0.1:${await freePort()}`],
      silenceMs: 500,
    });
    await expect(read(lost)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
    await lost.close();
  });

  // Asserts contract/roles.md#step-up.
  test('a data set that needs a stronger login requests it from the client', async () => {
    const challenge = insufficientAuthentication({ acr: 'urn:lintel:acr:2fa' });
    handle = (_request, response) => {
      response.writeHead(401, challenge.headers).end(`{"error":"${challenge.error}","error_description":"x"}`);
    };
    await expect(read()).rejects.toMatchObject({ code: 'AUTH_STEP_UP_REQUIRED', headers: challenge.headers });
  });

  test.each([
    [
      403,
      '{"error":"Reading forbidden","details":"Reading of the x_Order is forbidden"}',
      { code: 'ACCESS_READ_DENIED', error: 'Reading forbidden', details: 'Reading of the x_Order is forbidden' },
    ],
    [401, '', { code: 'AUTH_INVALID_TOKEN' }],
    [503, 'busy', { code: 'DATA_UNAVAILABLE' }],
    [429, '{"error":"Too many requests","details":"later"}', { code: 'DATA_UNAVAILABLE', details: 'later' }],
    [
      400,
      '{"error":"Invalid sort","details":"number"}',
      { message: 'The data service returned 400: Invalid sort: number' },
    ],
  ])('an answer of %i keeps its meaning', async (status, text, expected) => {
    handle = respond(text, status);
    await expect(read()).rejects.toMatchObject(expected);
  });

  test('a run that is stopped stops reading, with the reason of the stop', async () => {
    let isClosed = false;
    handle = (_request, response) => {
      response.writeHead(200);
      response.write('{"a":1}\n');
      response.on('close', () => {
        isClosed = true;
      });
    };
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stopped')), 50);
    await expect(read(client, controller.signal)).rejects.toThrow('stopped');
    await eventually(() => expect(isClosed).toBe(true));
  });

  describe('service tokens', () => {
    let now = 1_000_000;
    const tokens = () =>
      createServiceTokenSource({
        authInternalUrls: [url],
        secret: 'shared',
        clock: { now: () => now },
        timeoutMs: 120_000,
      });

    test('are fetched once, and renewed with the one before', async () => {
      const asked: unknown[] = [];
      handle = (request, response, body) => {
        asked.push([request.url, request.headers.authorization, JSON.parse(body)]);
        response.end(JSON.stringify({ jwt: `service-${asked.length}`, expiresAt: now / 1000 + 300 }));
      };
      const token = tokens().forRun('callers-jwt', 'run-1');
      expect([await token(), await token()]).toEqual(['service-1', 'service-1']);
      now += 280_000;
      expect(await token()).toBe('service-2');
      expect(asked).toEqual([
        ['/internal/service-tokens', 'Bearer shared', { subjectToken: 'callers-jwt', actor: 'reports', run: 'run-1' }],
        ['/internal/service-tokens', 'Bearer shared', { subjectToken: 'service-1', actor: 'reports', run: 'run-1' }],
      ]);
    });

    test.each([
      [401, 'AUTH_INVALID_TOKEN'],
      [500, 'AUTH_UNAVAILABLE'],
    ])('refused with %i mean %s', async (status, code) => {
      handle = respond('', status);
      await expect(tokens().forRun('jwt', 'run')()).rejects.toMatchObject({ code });
    });
  });
});
