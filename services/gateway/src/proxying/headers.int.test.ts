import { connect } from 'node:net';
import { cases, fc } from '@lintel/testkit/properties';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const get = (headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/rest/userInfo`, { headers: { authorization: 'Bearer opaque-clerk', ...headers } });
const seen = () => gateway.upstreams.data.seen.at(-1)?.headers ?? {};

describe('trace context', () => {
  test('a trace continues with the same id, which the response has; the flag of an unknown client is ignored', async () => {
    const response = await get({ traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'vendor=1' });
    expect(response.headers.get('x-trace-id')).toBe(TRACE);
    expect(seen()).toMatchObject({
      traceparent: expect.stringMatching(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-00$`)),
      tracestate: 'vendor=1',
    });
  });

  test.each([
    'garbage',
    `00-${TRACE}-b7ad6b7169203331`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${TRACE}-b7ad6b7169203331-01-more`,
  ])('%s is replaced by a new trace, without the entries that came with it', async (traceparent) => {
    const response = await get({ traceparent, tracestate: 'vendor=1' });
    const id = response.headers.get('x-trace-id') ?? '';
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(id).not.toBe(TRACE);
    expect(seen()['traceparent']).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-00$`));
    expect(seen()['tracestate']).toBeUndefined();
  });

  test('responses of the gateway itself have the id of their trace, too', async () => {
    for (const path of ['/rest/userInfo', '/nothing']) {
      const response = await fetch(gateway.url + path, { headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-00` } });
      expect([response.ok, response.headers.get('x-trace-id')]).toEqual([false, TRACE]);
    }
  });
});

test('hop-by-hop headers of a response are not forwarded, nor those that Connection names', async () => {
  const { data } = gateway.upstreams;
  const handle = data.handle;
  data.handle = (_request, response) => {
    response.writeHead(200, {
      Connection: 'X-Private',
      'X-Private': '1',
      'Keep-Alive': 'timeout=99',
      'Proxy-Authenticate': 'Basic',
      Trailer: 'X-End',
      'Access-Control-Allow-Origin': 'https://evil.test',
      'X-Public': '1',
      'Set-Cookie': ['a=1', 'b=2'],
    });
    response.end('{}');
  };
  const { headers } = await get();
  data.handle = handle;
  expect(headers.get('x-public')).toBe('1');
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  for (const name of ['x-private', 'proxy-authenticate', 'trailer', 'access-control-allow-origin'])
    expect(headers.get(name)).toBeNull();
  expect(headers.get('keep-alive')).not.toBe('timeout=99');
  expect(headers.get('connection')).not.toContain('X-Private');
});

test('forwarded headers of an untrusted client are replaced', async () => {
  await get({
    forwarded: 'for=6.6.6.6;proto=https',
    'x-real-ip': '6.6.6.6',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-port': '666',
    'x-forwarded-prefix': '/evil',
  });
  expect(JSON.stringify(seen())).not.toMatch(/6\.6\.6\.6|evil|\b666\b/);
  expect(seen()).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
});

test('any bytes as a request get a response or end their connection', async () => {
  const whole =
    'POST /rest/x?a=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-a\r\nAccept-Encoding: gzip;q=1\r\nIf-None-Match: "a"\r\nTraceparent: 00-a-b-c\r\nForwarded: for="a\r\nContent-Length: 5\r\n\r\n{"a"}';
  const damage = fc.record({
    at: fc.nat({ max: whole.length - 1 }),
    bytes: fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 6 }),
    drop: fc.nat({ max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      let text = whole;
      for (const { at, bytes, drop } of damages) text = text.slice(0, at) + bytes + text.slice(at + drop);
      const response = await new Promise<string>((resolve) => {
        let received = '';
        const socket = connect(gateway.port, '127.0.0.1', () => socket.end(text, 'latin1'));
        socket.on('data', (chunk: Buffer) => {
          received += chunk.toString('latin1');
        });
        socket.on('close', () => resolve(received)).on('error', () => undefined);
      });
      expect(response).toMatch(/^$|^HTTP\/1\.1 (?!5)\d{3} /);
    }),
    cases(150),
  );
  expect((await get()).status).toBe(200);
});
