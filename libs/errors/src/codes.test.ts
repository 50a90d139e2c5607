import { readFileSync } from 'node:fs';
import { ERROR_CODES } from './index.ts';

test('docs/reference/errors.md lists exactly the codes of the table, with their status and text', () => {
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| \[`(\w+)`\]\((\S+)\) \| (\d+) \| (.*?) \| (yes|no) \|$/gm)].map(
    ([, code, link, status, error, retry]) => [code, link, Number(status), error, retry === 'yes'],
  );
  expect(rows).toEqual(
    Object.entries(ERROR_CODES).map(([code, row]) => [
      code,
      `../guide/troubleshooting.md#${code.toLowerCase()}`,
      row.status,
      row.error,
      row.retryable,
    ]),
  );
});

test('docs/guide/troubleshooting.md says for every code what to do, in the order of the table', () => {
  const page = readFileSync(new URL('../../../docs/guide/troubleshooting.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^### `(\w+)`\n\n(.+)$/gm)];
  expect(sections.map(([, code]) => code)).toEqual(Object.keys(ERROR_CODES));
  // A cause alone is no help.
  expect(sections.filter(([, , text = '']) => text.length < 60).map(([, code]) => code)).toEqual([]);
});
