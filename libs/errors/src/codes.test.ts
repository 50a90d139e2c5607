import { readFileSync } from 'node:fs';
import { ERROR_CODES } from './index.ts';

test('docs/reference/errors.md lists exactly the codes of the table, with their status and text', () => {
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (.*?) \| (yes|no) \| (.+) \|$/gm)].map(
    ([, code, status, error, retry]) => [code, Number(status), error, retry === 'yes'],
  );
  expect(rows).toEqual(Object.entries(ERROR_CODES).map(([code, row]) => [code, row.status, row.error, row.retryable]));
});
