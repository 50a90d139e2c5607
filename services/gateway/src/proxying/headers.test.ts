import type { IncomingMessage } from 'node:http';
import { createForwardedReader } from './forwarded-headers.ts';
import { removeHopByHop } from './hop-by-hop.ts';
import { fromUpstreamError, UpstreamTimeout } from './upstream-error.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers: { host: 'api.test', ...headers } }) as unknown as IncomingMessage;

test('X-Forwarded headers count only from trusted proxies', () => {
  const read = createForwardedReader(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);
  const sent = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test' };
  expect(read(request('10.1.2.3', sent))).toEqual({ for: '1.2.3.4, 10.1.2.3', proto: 'https', host: 'shop.test' });
  expect(read(request('::ffff:10.1.2.3', sent)).for).toBe('1.2.3.4, 10.1.2.3');
  expect(read(request('2001:db8::1', sent)).proto).toBe('https');
  expect(read(request('192.0.2.1')).for).toBe('192.0.2.1');
  for (const stranger of ['192.0.2.2', '11.0.0.1', '2001:db9::1'])
    expect(read(request(stranger, sent))).toEqual({ for: stranger, proto: 'http', host: 'api.test' });
});

test.each(['nonsense', '10.0.0.0/33', '10.0.0.0/x', '10.0.0/8'])('the trust list refuses %s', (entry) => {
  expect(() => createForwardedReader([entry])).toThrow(`svc.gateway.trusted-proxies: ${entry}`);
});

test('hop-by-hop headers go, with those that Connection names, but never what carries meaning', () => {
  const headers = {
    connection: 'Keep-Alive, X-Private, Authorization, Content-Length',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    upgrade: 'websocket',
    'x-private': '1',
    authorization: 'Bearer a',
    'content-length': '3',
    accept: '*/*',
  };
  removeHopByHop(headers);
  expect(Object.keys(headers).sort()).toEqual(['accept', 'authorization', 'connection', 'content-length']);
});

test.each([
  ['ECONNREFUSED', 503],
  ['ENOTFOUND', 503],
  ['ECONNRESET', 502],
  ['EPIPE', 502],
  ['HPE_INVALID_CONSTANT', 502],
])('the socket error %s is %i', (code, status) => {
  expect(fromUpstreamError(Object.assign(new Error('x'), { code })).status).toBe(status);
});

test('a late connection is 503, a late answer 504, a name whose every address refuses 503', () => {
  expect(fromUpstreamError(new UpstreamTimeout('connect', 1)).status).toBe(503);
  expect(fromUpstreamError(new UpstreamTimeout('answer', 1)).status).toBe(504);
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  expect(fromUpstreamError(new AggregateError([refused, refused])).status).toBe(503);
});
