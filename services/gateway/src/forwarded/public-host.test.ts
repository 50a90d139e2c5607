import { createPublicHost } from './public-host.ts';

const publicHost = createPublicHost({
  allowedHosts: ['shop.test', 'intern.test:8443'],
  issuer: 'https://api.example.com:9443/auth',
});
const SOCKET = { localAddress: '::ffff:192.0.2.7' };

test.each([
  'api.example.com',
  'API.example.com:9443',
  'api.example.com:80',
  'shop.test:8080',
  'intern.test:8443',
  'localhost:8080',
  'shop.localhost',
  '127.0.0.1:8080',
  '[::1]:8080',
  '192.0.2.7:8080',
])('%s is believed', (host) => {
  expect(publicHost(host, SOCKET)).toBeUndefined();
});

test.each([
  'evil.test',
  '',
  'intern.test',
  'api.example.com.evil.test',
  '192.0.2.8',
  '[2001:db8::1]',
  'localhost.evil.test',
])('%j is replaced by the issuer', (host) => {
  expect(publicHost(host, SOCKET)).toEqual({ proto: 'https', host: 'api.example.com:9443', isReplaced: true });
});
