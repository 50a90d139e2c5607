import { publicUrlOf } from './public-url.ts';

// Asserts contract/files.md#upload.
test.each([
  [{ host: '127.0.0.1:8083' }, 'http://127.0.0.1:8083/rest/files'],
  [
    { host: 'inner', 'x-forwarded-host': 'api.example.org', 'x-forwarded-proto': 'https' },
    'https://api.example.org/rest/files',
  ],
  [
    { host: 'inner', 'x-forwarded-host': 'a.org, b.org', 'x-forwarded-proto': 'https,http' },
    'https://a.org/rest/files',
  ],
  [
    { host: 'inner', 'x-forwarded-host': 'a.org', 'x-forwarded-port': '8443', 'x-forwarded-proto': 'https' },
    'https://a.org:8443/rest/files',
  ],
  [
    { host: 'inner', 'x-forwarded-host': 'a.org', 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' },
    'https://a.org/rest/files',
  ],
  [{ host: 'inner', 'x-forwarded-host': 'a.org:8080', 'x-forwarded-port': '8080' }, 'http://a.org:8080/rest/files'],
  [{ host: 'inner', 'x-forwarded-host': 'a.org', 'x-forwarded-prefix': '/sales' }, 'http://a.org/sales/rest/files'],
  [{ host: 'inner', 'x-forwarded-proto': 'javascript' }, 'http://inner/rest/files'],
  [{ host: '[::1]:8083' }, 'http://[::1]:8083/rest/files'],
  [{ host: 'evil/path?x' }, '/rest/files'],
  [{}, '/rest/files'],
])('%j gives %s', (headers, expected) => {
  expect(publicUrlOf({ headers, originalUrl: '/rest/files/?name=x' })).toBe(expected);
});
