import { parsePreferences } from './parse-preferences.ts';

test.each([
  [undefined, {}],
  ['count=exact', { count: 'exact' }],
  ['Count = "Estimated"', { count: 'estimated' }],
  ['respond-async, count=none; x=1, wait=10', { count: 'none' }],
  ['count=exact, count=none', { count: 'exact' }],
  ['count', {}],
  ['count=many', {}],
  ['server-timing', { serverTiming: true }],
  [['Server-Timing', 'count=exact'], { count: 'exact', serverTiming: true }],
  [';;,=,"', {}],
])('%j is parsed, and unknown preferences are ignored', (header, preferences) => {
  expect(parsePreferences(header)).toEqual(preferences);
});
