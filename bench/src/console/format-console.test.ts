import { formatConsole } from './format-console.ts';

test('the figures are in two tables, each with its limit', () => {
  const figure = { what: 'list', medianMs: 40.4, p90Ms: 120.6, limitMs: 100 };
  const slow = { what: 'login', medianMs: 1_200, p90Ms: 1_300, limitMs: 1_000 };
  expect(
    formatConsole([
      { ...figure, since: 'response' },
      { ...slow, since: 'page' },
    ]),
  ).toBe(
    [
      '| Since the page was opened | median, ms | p90, ms | limit, ms |',
      '| --- | ---: | ---: | ---: |',
      '| login | 1200 | 1300 | 1000 ✗ |',
      '',
      '| Since the response of the API | median, ms | p90, ms | limit, ms |',
      '| --- | ---: | ---: | ---: |',
      '| list | 40 | 121 | 100 ✓ |',
    ].join('\n'),
  );
});
