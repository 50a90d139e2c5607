import { type AskedUrl, publicUrlOf } from './public-url.ts';

const request = (headers: Record<string, string>, originalUrl = '/rest/entities/E?x=1'): AskedUrl => ({
  headers: { host: '127.0.0.1:8082', ...headers },
  originalUrl,
  protocol: 'http',
});

test.each<[string, Record<string, string>, string]>([
  ['the request itself', {}, 'http://127.0.0.1:8082/rest/entities/E'],
  [
    'what the gateway was asked for',
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example' },
    'https://a.example/rest/entities/E',
  ],
  ['the first of several proxies', { 'x-forwarded-host': 'a.example, b' }, 'http://a.example/rest/entities/E'],
  ['no protocol but HTTP', { 'x-forwarded-proto': 'javascript' }, 'http://127.0.0.1:8082/rest/entities/E'],
])('%s', (_case, headers, expected) => {
  expect(publicUrlOf(request(headers))).toBe(expected);
});
