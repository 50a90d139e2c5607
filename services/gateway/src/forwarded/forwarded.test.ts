import type { IncomingMessage } from 'node:http';
import { createForwardedReader, type ForwardedOptions } from './create-forwarded-reader.ts';
import { parseForwarded } from './parse-hops.ts';
import { setForwardedHeaders } from './set-forwarded-headers.ts';

const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}, encrypted = false) =>
  ({
    socket: { remoteAddress, ...(encrypted && { encrypted }) },
    headers: { host: 'api.test', ...headers },
  }) as unknown as IncomingMessage;

const reader = (options: Partial<ForwardedOptions> = {}) =>
  createForwardedReader({
    trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'],
    header: 'x-forwarded',
    publicHost: () => undefined,
    ...options,
  });

test('X-Forwarded headers count only from trusted proxies', () => {
  const read = reader();
  const sent = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test' };
  expect(read(request('10.1.2.3', sent))).toEqual({
    address: '1.2.3.4',
    for: '1.2.3.4, 10.1.2.3',
    proto: 'https',
    host: 'shop.test',
  });
  expect(read(request('::ffff:10.1.2.3', sent)).for).toBe('1.2.3.4, 10.1.2.3');
  expect(read(request('2001:DB8::1', sent)).proto).toBe('https');
  expect(read(request('192.0.2.1')).for).toBe('192.0.2.1');
  for (const stranger of ['192.0.2.2', '11.0.0.1', '2001:db9::1'])
    expect(read(request(stranger, sent))).toEqual({
      address: stranger,
      for: stranger,
      proto: 'http',
      host: 'api.test',
    });
  expect(read(request(undefined, sent))).toEqual({ address: '', for: '', proto: 'http', host: 'api.test' });
  expect(read(request('1.1.1.1', {}, true)).proto).toBe('https');
});

// Asserts contract/tokens.md#guessing.
test('of a list, only what trusted proxies have added counts', () => {
  const read = reader();
  const addressOf = (header: string) => read(request('10.0.0.9', { 'x-forwarded-for': header })).for;
  expect(addressOf('6.6.6.6, 1.2.3.4')).toBe('1.2.3.4, 10.0.0.9');
  expect(addressOf('6.6.6.6, 1.2.3.4, 10.0.0.1')).toBe('1.2.3.4, 10.0.0.1, 10.0.0.9');
  expect(addressOf('10.0.0.2,10.0.0.1')).toBe('10.0.0.2, 10.0.0.1, 10.0.0.9');
  expect(addressOf('6.6.6.6, unknown, 10.0.0.1')).toBe('10.0.0.1, 10.0.0.9');
  expect(addressOf('1.2.3.4:5678')).toBe('1.2.3.4, 10.0.0.9');
  expect(addressOf('[2001:DB9::7]:443')).toBe('2001:db9::7, 10.0.0.9');
  expect(addressOf('<script>')).toBe('10.0.0.9');
});

test('the scheme and host are those that the proxy nearest to the caller reports', () => {
  const read = reader();
  const originOf = (headers: Record<string, string>) => {
    const { proto, host } = read(request('10.0.0.9', headers));
    return [proto, host];
  };
  const two = { 'x-forwarded-for': '1.2.3.4, 10.0.0.1' };
  expect(originOf({ ...two, 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'shop.test, inner' })).toEqual([
    'https',
    'shop.test',
  ]);
  expect(originOf({ ...two, 'x-forwarded-proto': 'http, https, http', 'x-forwarded-host': 'evil.test, a, b' })).toEqual(
    ['https', 'a'],
  );
  expect(originOf({ 'x-forwarded-proto': 'HTTPS' })).toEqual(['https', 'api.test']);
  expect(originOf({ 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'evil.test/path' })).toEqual([
    'http',
    'api.test',
  ]);
});

test('port and path prefix of a trusted proxy are passed on, where they are ones', () => {
  const read = reader();
  expect(read(request('10.0.0.9', { 'x-forwarded-port': '8443', 'x-forwarded-prefix': '/shop' }))).toMatchObject({
    port: '8443',
    prefix: '/shop',
  });
  const { port, prefix } = read(request('10.0.0.9', { 'x-forwarded-port': 'x', 'x-forwarded-prefix': '//evil.test' }));
  expect([port, prefix]).toEqual([undefined, undefined]);
});

test('Forwarded is read where the proxies write that one, and X-Forwarded-For is not', () => {
  const read = reader({ header: 'forwarded' });
  const headers = { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.test' };
  expect(
    read(
      request('10.0.0.9', {
        ...headers,
        forwarded: 'for=6.6.6.6, for="[2001:db9::7]:4711";proto=https;host="shop.test:8443", For=10.0.0.1;proto=http',
      }),
    ),
  ).toEqual({
    address: '2001:db9::7',
    for: '2001:db9::7, 10.0.0.1, 10.0.0.9',
    proto: 'https',
    host: 'shop.test:8443',
  });
  expect(read(request('10.0.0.9', headers)).for).toBe('10.0.0.9');
  expect(reader()(request('10.0.0.9', { forwarded: 'for=1.2.3.4' })).for).toBe('10.0.0.9');
});

test.each([
  ['for=192.0.2.43, for=198.51.100.17', ['192.0.2.43', '198.51.100.17']],
  ['FOR="192.0.2.43:47011" ; by=x', ['192.0.2.43']],
  ['for=_hidden, for=unknown, by=1.1.1.1', [undefined, undefined, undefined]],
  ['for="a,b;c\\"d", for=1.1.1.1', [undefined, '1.1.1.1']],
  ['garbage, for=1.1.1.1', [undefined, '1.1.1.1']],
  ['for="1.1.1.1', [undefined]],
  ['', [undefined]],
])('Forwarded %j tells %j', (header, addresses) => {
  expect(parseForwarded(header).map(({ address }) => address)).toEqual(addresses);
});

test.each(['nonsense', '10.0.0.0/33', '10.0.0.0/x', '10.0.0/8'])('the trust list refuses %s', (entry) => {
  expect(() => reader({ trustedProxies: [entry] })).toThrow(`svc.gateway.trusted-proxies: ${entry}`);
});

test('headers of a peer about itself are replaced', () => {
  const headers: Record<string, string> = {
    forwarded: 'for=6.6.6.6',
    'x-real-ip': '6.6.6.6',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-server': 'x',
    'x-lintel-forwarding': 'guess',
    accept: '*/*',
  };
  const forwarded = { address: '1.1.1.1', for: '1.1.1.1', proto: 'http', host: 'api.test', port: '80' } as const;
  setForwardedHeaders(headers, forwarded, 'proof');
  expect(headers).toEqual({
    accept: '*/*',
    'x-lintel-forwarding': 'proof',
    'x-forwarded-for': '1.1.1.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'api.test',
    'x-forwarded-port': '80',
  });
});

test('requests of one connection with another `Host` have another address', () => {
  const { socket } = request('192.0.2.9');
  const read = reader();
  const hostOf = (host: string) => read({ socket, headers: { host } } as unknown as IncomingMessage).host;
  expect(['a.test', 'a.test', 'b.test', 'a.test'].map(hostOf)).toEqual(['a.test', 'a.test', 'b.test', 'a.test']);
});
