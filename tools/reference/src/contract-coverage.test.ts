import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type CoverageRow, coverageRows } from './coverage-rows.ts';
import { testTitles } from './test-titles.ts';

const root = new URL('../../../', import.meta.url);
const folder = new URL('docs/reference/contract-coverage/', root);
const topics = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');

const titles = new Map<string, ReadonlySet<string> | undefined>();

/** Titles of the tests in a file, or of the golden case that the file is; nothing when there is no such file. */
function titlesIn(path: string): ReadonlySet<string> | undefined {
  const file = new URL(path, root);
  if (!titles.has(path)) titles.set(path, existsSync(file) ? titlesOf(readFileSync(file, 'utf8'), path) : undefined);
  return titles.get(path);
}

const titlesOf = (text: string, path: string): ReadonlySet<string> =>
  path.endsWith('.json') ? new Set([(JSON.parse(text) as { readonly title: string }).title]) : testTitles(text);

const wrong = ({ line, row, tests }: CoverageRow): readonly string[] =>
  tests.flatMap(({ path, title }) => {
    const known = titlesIn(path);
    if (known === undefined) return [`line ${line} (${row}): there is no ${path}`];
    return known.has(title) ? [] : [`line ${line} (${row}): ${path} has no test "${title}"`];
  });

test.each(topics)('every row of %s names tests that exist', (topic) => {
  const rows = coverageRows(readFileSync(new URL(topic, folder), 'utf8'));
  expect(rows.flatMap(wrong)).toEqual([]);
  expect(rows).not.toEqual([]);
});

test.each(topics)('no row of %s stands there twice', (topic) => {
  const rows = coverageRows(readFileSync(new URL(topic, folder), 'utf8')).map(({ row }) => row);
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
});
