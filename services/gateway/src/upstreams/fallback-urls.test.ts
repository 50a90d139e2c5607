import { loadSettings, processSources } from '@lintel/config';
import { settings } from '../config.ts';
import { fallbackUrlsOf } from './fallback-urls.ts';

test('the host name of a load balancer is the host name of the service with the suffix, an IP address has none', () => {
  const urls = ['http://lintel-data:8082', 'https://data.example.org', 'http://127.0.0.1:8082', 'http://[::1]:8082'];
  expect(fallbackUrlsOf(urls, '-internal')).toEqual([
    'http://lintel-data-internal:8082',
    'https://data.example.org-internal',
  ]);
  expect(fallbackUrlsOf(urls, undefined)).toEqual([]);
});

const load = (suffix: string) =>
  loadSettings(
    settings,
    processSources({
      environment: {},
      overrides: { 'svc.internal.secret': 'x', 'svc.gateway.fallback-host-suffix': suffix },
    }),
  );

test.each(['-internal', '.lb', '-all.example.org', '2'])('the suffix %s is accepted', (suffix) => {
  expect(load(suffix).fallbackHostSuffix).toBe(suffix);
});

test.each([':80', '/all', '?', '#', '@lb', ' lb.', '.1', '..lb', 'a b', 'ä'])(
  'the suffix %s, which is not the end of a host name, is refused',
  (suffix) => {
    expect(() => load(suffix)).toThrow('svc.gateway.fallback-host-suffix: expected the end of a host name');
  },
);
