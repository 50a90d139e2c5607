import { fallbackUrlsOf } from './fallback-urls.ts';

test('the host name of a load balancer is the host name of the service with the suffix, an IP address has none', () => {
  const urls = ['http://lintel-data:8082', 'https://data.example.org', 'http://127.0.0.1:8082', 'http://[::1]:8082'];
  expect(fallbackUrlsOf(urls, '-internal')).toEqual([
    'http://lintel-data-internal:8082',
    'https://data.example.org-internal',
  ]);
  expect(fallbackUrlsOf(urls, undefined)).toEqual([]);
});
