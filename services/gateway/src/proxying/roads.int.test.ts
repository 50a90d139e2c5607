import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settled } from '@lintel/testkit';
import express from 'express';
import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';
import { talk } from '../../test/talk.ts';

/** The same requests are sent to a gateway in front of services, and to one in the process of its services. */
const ROADS = ['socket', 'process'] as const;
type Road = (typeof ROADS)[number];
const MAX_BODY_BYTES = 200_000;

type Gateways = ReadonlyMap<Road, RunningGateway>;

const startBoth = async (settled: Settled): Promise<Gateways> => {
  const started = ROADS.map(
    async (road) => [road, await startGateway(settled, undefined, {}, undefined, road)] as const,
  );
  return new Map(await Promise.all(started));
};
const closeBoth = (both: Gateways) => Promise.all([...both.values()].map((gateway) => gateway.close()));

let gateways: Gateways;
const gatewayOf = (road: Road, both = gateways): RunningGateway => both.get(road) as RunningGateway;
beforeAll(async () => {
  gateways = await startBoth({ 'svc.gateway.max-body-size': `${MAX_BODY_BYTES}B`, minCodedBytes: 100 });
});
afterAll(() => closeBoth(gateways));

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What differs between two runs of one road, too. */
const steady = (text: string): string =>
  text
    .replace(/(?:X-Trace-Id|date|RateLimit): .*\r\n/gi, '')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '(jwt)')
    .replace(/upstream;dur=[\d.]+/, 'upstream')
    .replace(/00-[0-9a-f]{32}-[0-9a-f]{16}-/g, '(trace)-');

/** The response without headers of which the order differs, and chunks without their lengths. */
function parsed(received: string): unknown {
  return received.split(/(?=HTTP\/1\.1 \d{3} )/).map((each) => {
    const end = each.indexOf('\r\n\r\n');
    const [line, ...headers] = each.slice(0, end).split('\r\n');
    const names = headers.map((header) => header.replace(/^[^:]+/, (name) => name.toLowerCase())).sort();
    const body = each.slice(end + 4);
    const isChunked = names.includes('transfer-encoding: chunked');
    return { line, names, body: isChunked ? joinChunks(body) : body };
  });
}

function joinChunks(text: string): string {
  let joined = '';
  let rest = text;
  for (let length = 1; length > 0; ) {
    const [digits = '0'] = /^[0-9a-f]+(?=\r\n)/.exec(rest) ?? [];
    length = Number.parseInt(digits, 16);
    joined += rest.slice(digits.length + 2, digits.length + 2 + length);
    rest = rest.slice(digits.length + 2 + length + 2);
  }
  return `${joined}${rest}`;
}

/** Sends the bytes by both roads, and expects the same response. */
async function expectSame(
  bytes: string,
  handle: Handler,
  service: 'data' | 'files' = 'data',
  both = gateways,
): Promise<string> {
  const send = async (road: Road): Promise<string> => {
    const { port, upstreams } = gatewayOf(road, both);
    upstreams[service].handle = handle;
    return steady(await talk(port, bytes));
  };
  const [bySocket = '', inProcess = ''] = await Promise.all(ROADS.map(send));
  expect(parsed(inProcess)).toEqual(parsed(bySocket));
  return inProcess;
}

/** Responds with all that the service has received. */
const echo: Handler = async (request, response) => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch (error) {
    // The gateway refuses a body that is too long, and ends the request.
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    return;
  }
  const { method, url, httpVersion, headers, rawHeaders, headersDistinct, complete, trailers, socket } = request;
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const seen = { method, url, httpVersion, headers, headersDistinct, complete, trailers };
  const sorted = JSON.stringify(
    { ...seen, names, address: socket.remoteAddress, tls: 'encrypted' in socket },
    sortKeys,
  );
  response.end(`${sorted}${Buffer.concat(chunks).toString('latin1')}`);
};

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? [...value].sort()
      : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

const requestOf = (method: string, headers: string, body = '', path = '/rest/x?a=%20b'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-clerk\r\nAccept-Encoding: identity\r\nConnection: close\r\n${headers}\r\n${body}`;

const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`;

describe.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a request with %s', (method) => {
  const large = 'x'.repeat(150_000);
  test.each([
    ['no body', '', ''],
    ['a body', 'Content-Length: 7\r\nContent-Type: application/json\r\n', '{"a":1}'],
    ['a chunked body', 'Transfer-Encoding: chunked\r\n', chunked('{"a":1}')],
    ['a large body', `Content-Length: ${large.length}\r\n`, large],
    ['a large chunked body', 'Transfer-Encoding: chunked\r\n', chunked(large)],
    ['a chunked body that is too long', 'Transfer-Encoding: chunked\r\n', chunked('x'.repeat(MAX_BODY_BYTES + 1))],
    ['a body that is declared too long', `Content-Length: ${MAX_BODY_BYTES + 1}\r\n`, ''],
  ])('and %s is the same for service and client by both roads', async (_case, headers, body) => {
    expect(await expectSame(requestOf(method, headers, body), echo)).toMatch(/^HTTP\/1\.1 (200|413) /);
  });
});

test('headers that a client must not set are the same for the service by both roads', async () => {
  const headers = [
    ...[
      'X-Forwarded-For: 6.6.6.6',
      'X-Forwarded-Host: evil.test',
      'X-Forwarded-Prefix: /evil',
      'Forwarded: for=6.6.6.6',
    ],
    ...['X-Real-IP: 6.6.6.6', 'X-Lintel-Forwarding: guessed', 'TE: trailers', 'Proxy-Authorization: Basic abc'],
    ...['Connection: x-named, authorization', 'X-Named: 1', 'Upgrade: h2c', 'Keep-Alive: timeout=9'],
    ...['Cookie: a=1', 'Cookie: b=2', 'X-Twice: 1', 'X-Twice: 2', 'X-Latin: \u00e4', 'tracestate: a=1', 'DPoP: x'],
  ];
  const response = await expectSame(requestOf('GET', headers.map((line) => `${line}\r\n`).join('')), echo);
  expect(response).toContain('"x-forwarded-for":"127.0.0.1"');
  for (const hidden of ['6.6.6.6', 'evil.test', 'guessed', 'x-named', 'proxy-authorization', 'h2c', '"te"'])
    expect(response).not.toContain(hidden);
});

test('requests that the gateway refuses reach no service by either road', async () => {
  for (const road of ROADS) gatewayOf(road).upstreams.data.seen.length = 0;
  const refused = requestOf('GET', '').replace('opaque-clerk', 'unknown');
  expect(await expectSame(refused, echo)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await expectSame(requestOf('GET', '', '', '/nowhere'), echo)).toMatch(/^HTTP\/1\.1 404 /);
  for (const road of ROADS) expect(gatewayOf(road).upstreams.data.seen).toEqual([]);
});

const long = '\u00e4'.repeat(40_000);
const RESPONSES: readonly (readonly [string, Handler])[] = [
  ['without a body', (_request, response) => response.end()],
  ['of text', (_request, response) => response.end('text: \u00e4')],
  ['of a length that is set', (_request, response) => response.setHeader('Content-Length', 2).end('ok')],
  [
    'of bytes',
    (_request, response) => response.writeHead(200, 'Fine', { 'Content-Length': 3 }).end(Buffer.of(0, 255, 128)),
  ],
  ['in Latin-1', (_request, response) => response.setHeader('Content-Length', 1).end('\u00e4', 'latin1')],
  ['of a status that has no body', (_request, response) => response.writeHead(204, { 'X-A': '1' }).end('hidden')],
  ['that is not modified', (_request, response) => response.writeHead(304, { ETag: '"1"' }).end()],
  [
    'with a header for each kind of value',
    (_request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']).setHeader('Vary', ['A', 'B']).setHeader('X-Number', 1);
      response.setHeader('Server-Timing', 'db').setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Connection', 'x-private').setHeader('X-Private', '1').end('{}');
    },
  ],
  ['with an array of headers', (_request, response) => response.writeHead(201, ['X-A', '1', 'X-A', '2']).end('a')],
  [
    'in pieces',
    async (_request, response) => {
      for (const piece of ['one', Buffer.from('two'), '', '\u00e4']) {
        response.write(piece);
        await sleep(1);
      }
      response.end('end');
    },
  ],
  [
    'in pieces at once',
    (_request, response) => {
      response.write('one');
      response.write(Buffer.from('two'));
      response.end();
    },
  ],
  [
    'whose head comes first',
    async (_request, response) => {
      response.flushHeaders();
      await sleep(5);
      response.end('late');
    },
  ],
  [
    'after early hints',
    (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('"late"');
    },
  ],
  [
    'with trailers',
    (request, response) => {
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      response.writeHead(200, { Trailer: 'X-Sum' }).write('a');
      response.addTrailers({ 'X-Sum': '1' });
      response.end('b');
    },
  ],
  [
    'after a timeout of the service',
    (request, response) => {
      request.socket.setNoDelay().setKeepAlive(true);
      response.setTimeout(20, () => response.end('late'));
    },
  ],
  ['that is coded', (_request, response) => response.setHeader('Content-Type', 'application/json').end(`"${long}"`)],
  ['that closes the connection', (_request, response) => response.setHeader('Connection', 'close').end('bye')],
  [
    'that is large',
    (_request, response) => {
      for (let count = 0; count < 40; count += 1) response.write(Buffer.alloc(30_000, count));
      response.end();
    },
  ],
  [
    'of Express',
    express().get('/{*path}', (request, response) => void response.json({ path: request.path, ip: request.ip })),
  ],
  [
    'of an Express application that fails',
    express().use(() => {
      throw Object.assign(new Error('no'), { status: 418, expose: true, stack: 'no' });
    }),
  ],
];

test.each(RESPONSES)('a response %s is the same by both roads, with GET and HEAD', async (_case, handle) => {
  for (const service of ['data', 'files'] as const) {
    const path = service === 'data' ? '/rest/x' : '/rest/files?fileRef=x';
    for (const method of ['GET', 'HEAD'])
      await expectSame(requestOf(method, 'If-None-Match: "1"\r\n', '', path), handle, service);
    const coded = requestOf('GET', '', '', path).replace('identity', 'gzip');
    expect(await expectSame(coded, handle, service)).toMatch(/^HTTP\/1\.1 \d/);
  }
});

const BREAKS: readonly (readonly [string, string, Handler])[] = [
  ['destroys its request', '502', (request) => request.destroy()],
  ['destroys its response', '502', (_request, response) => response.destroy()],
  ['lets a timeout end its connection', '502', (request) => request.socket.setTimeout(20)],
  [
    'breaks off',
    '200',
    async (_request, response) => {
      response.write('[1,');
      await sleep(20);
      response.destroy();
    },
  ],
  [
    'writes less than it has announced',
    '200',
    (_request, response) => {
      response.writeHead(200, { 'Content-Length': 5 }).write('[1,');
      setTimeout(() => response.destroy(), 20);
    },
  ],
];

test.each(BREAKS)(
  'a service that %s gives the status %s and the same bytes by both roads',
  async (_case, status, handle) => {
    const response = await expectSame(requestOf('POST', 'Content-Length: 2\r\n', '{}'), handle);
    expect(response.slice(9, 12)).toBe(status);
  },
);

test.each<[string, number, Handler]>([
  ['in one piece', 2, (_request, response) => response.end('okHTTP/1.1 200')],
  [
    'in further pieces',
    2,
    (_request, response) => {
      for (const piece of ['ok', 'HTTP/1.1 200', Buffer.from(' OK')]) response.write(piece);
      response.end();
    },
  ],
  ['of an empty body', 0, (_request, response) => response.end('HTTP/1.1 200')],
])(
  'bytes %s beyond the announced length of a response do not reach the client by either road',
  async (_case, length, handle) => {
    const response = await expectSame(requestOf('GET', ''), (request, served) => {
      served.setHeader('Content-Length', length);
      handle(request, served);
    });
    expect(response.split('\r\n\r\n')[1]).toBe('ok'.slice(0, length));
  },
);

const announcing = (length: number): Handler => {
  const body = `"${'x'.repeat(298)}"`;
  return (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length }).end(body);
};

test('a coded response has the announced length, too, and does not look complete where it is shorter', async () => {
  const coded = requestOf('GET', '').replace('identity', 'gzip');
  const { port, upstreams } = gatewayOf('process');
  expect(await expectSame(coded, announcing(200))).toMatch(/content-encoding: gzip/i);
  upstreams.data.handle = announcing(300);
  expect(await talk(port, coded)).toMatch(/\r\n0\r\n\r\n$/);
  upstreams.data.handle = announcing(301);
  expect(await talk(port, coded)).not.toMatch(/\r\n0\r\n\r\n$/);
});

test('a service of the process that throws gives the status 502, and the request does not count any longer', async () => {
  const gateway = await startGateway({ 'svc.gateway.max-connections': '1' }, undefined, {}, undefined, 'process');
  gateway.upstreams.data.handle = () => {
    throw new Error('no');
  };
  const before = gateway.lines.length;
  for (let count = 0; count < 2; count += 1)
    expect(await talk(gateway.port, requestOf('GET', ''))).toMatch(/^HTTP\/1\.1 502 /);
  expect(gateway.lines.slice(before).filter((line) => line.includes('upstream request failed'))).toHaveLength(2);
  await gateway.close();
});

test('a service that is silent before its response, or within it, gives the same bytes by both roads', async () => {
  const impatient = await startBoth({ 'svc.gateway.upstream-timeout': '1s' });
  const silent = requestOf('GET', '');
  const cut = requestOf('GET', '', '', '/rest/files?fileRef=x').replace('Connection: close\r\n', '');
  const responses = await Promise.all([
    expectSame(silent, () => undefined, 'data', impatient),
    expectSame(cut, (_request, response) => response.write('[1,'), 'files', impatient),
  ]);
  const tooShort: Handler = (_request, response) => response.writeHead(200, { 'Content-Length': 5 }).end('[1,');
  // A second request shows that its response is not taken for the rest of the first one.
  expect(await expectSame(`${cut}${cut}`, tooShort, 'files', impatient)).toMatch(/\r\n\r\n\[1,$/);
  expect(responses.map((each) => each.slice(9, 12))).toEqual(['504', '200']);
  await closeBoth(impatient);
});

describe.each(ROADS)('by the road of a %s', (road) => {
  test('a client that disconnects ends request and response of the service, before and after the head', async () => {
    const { port, upstreams } = gatewayOf(road);
    for (const hasHead of [false, true]) {
      const events: string[] = [];
      let isWaiting = false;
      upstreams.files.handle = (request, response) => {
        request.on('aborted', () => events.push('aborted'));
        request.on('error', (error) => events.push(`${'code' in error ? error.code : ''}`));
        request.on('close', () => events.push('request closed'));
        response.on('close', () => events.push(`response closed ${response.writableFinished}`));
        request.resume();
        if (hasHead) response.write('[');
        isWaiting = true;
      };
      const socket = connect(port, '127.0.0.1');
      socket.write(requestOf('POST', 'Content-Length: 150000\r\n', 'x'.repeat(100_000), '/rest/files?name=x'));
      await until(() => isWaiting);
      socket.destroy();
      await until(() => events.length === 4);
      expect(events.sort()).toEqual(['ECONNRESET', 'aborted', 'request closed', 'response closed false']);
    }
  });

  test('a service that responds sees its request and its response end, in the usual order', async () => {
    const events: string[] = [];
    gatewayOf(road).upstreams.data.handle = (request, response) => {
      request.on('end', () => events.push('request ended')).on('close', () => events.push('request closed'));
      response.on('finish', () => events.push('response finished')).on('close', () => events.push('response closed'));
      response.end('ok', () => events.push(`${response.writableFinished} ${response.destroyed}`));
    };
    await talk(gatewayOf(road).port, requestOf('GET', ''));
    await until(() => events.length === 5);
    expect(events.sort()).toEqual(
      ['request closed', 'request ended', 'response closed', 'response finished', 'true false'].sort(),
    );
  });

  test('a response that ends later than its last byte is complete for the service', async () => {
    const states: boolean[] = [];
    gatewayOf(road).upstreams.data.handle = async (_request, response) => {
      response.on('close', () => states.push(response.writableFinished));
      response.writeHead(200, { 'Content-Length': 2 }).write('ok');
      await sleep(50);
      states.push(response.destroyed);
      response.end();
    };
    await talk(gatewayOf(road).port, requestOf('GET', ''));
    await until(() => states.length === 2);
    expect(states).toEqual([false, true]);
  });

  test('a client that waits is asked for its body when the service reads it, and not before', async () => {
    const { port, upstreams } = gatewayOf(road);
    const head = requestOf('POST', 'Expect: 100-continue\r\nContent-Length: 7\r\n', '', '/rest/files?name=x');
    upstreams.files.handle = (_request, response) => response.writeHead(400).end();
    expect(await talk(port, head)).toMatch(/^HTTP\/1\.1 400 /);
    upstreams.files.handle = echo;
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    socket.on('data', (piece) => {
      received += String(piece);
    });
    await until(() => received.startsWith('HTTP/1.1 100 Continue'));
    socket.write('{"a":1}');
    await until(() => received.includes('{"a":1}'));
    expect(received).toContain('"expect":"100-continue"');
    socket.destroy();
  });

  test('the wait for a slow client is visible to the service, and ends with it', async () => {
    const states: boolean[] = [];
    let hasEnded = false;
    gatewayOf(road).upstreams.files.handle = async (_request, response) => {
      const piece = Buffer.alloc(1_000_000);
      for (let round = 0; round < 2; round += 1) {
        while (response.write(piece));
        states.push(response.writableNeedDrain);
        await new Promise((resolve) => response.once('drain', resolve));
        states.push(response.writableNeedDrain);
      }
      response.end();
      hasEnded = true;
    };
    await talk(gatewayOf(road).port, requestOf('GET', '', '', '/rest/files?fileRef=x'));
    expect([states, hasEnded]).toEqual([[true, false, true, false], true]);
  });
});
