import { loadSettings, processSources } from '@lintel/config';
import { settings } from './config.ts';

const load = (properties: Readonly<Record<string, string>>) =>
  loadSettings(settings, processSources({ environment: {}, overrides: { 'svc.internal.secret': 's', ...properties } }));

test('the tokens of feeds are looked at once an hour at least, and ten times a second at most', () => {
  const key = 'svc.gateway.stream-check-interval';
  expect([load({ [key]: '1h' }), load({ [key]: '100ms' })].map(({ streams }) => streams.checkIntervalMs)).toEqual([
    3_600_000, 100,
  ]);
  // A timer of more than 24 days would fire at once, repeatedly.
  for (const wrong of ['25d', '3600001ms', '99ms']) expect(() => load({ [key]: wrong })).toThrow(key);
});
