import { globSync } from 'node:fs';
import { pageOf } from './page-path.ts';
import { ROOT } from './paths.ts';
import { ROOT_PAGES, SECTIONS } from './site-map.ts';

test('every document is on the site once: add a new one to a section of site/src/site-map.ts', () => {
  const listed = SECTIONS.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages)).map((page) =>
    page.replace(/README\.md$/, 'index.md'),
  );
  const documents = globSync('docs/**/*.md', { cwd: ROOT })
    .flatMap((file) => pageOf(file, ROOT) ?? [])
    // Decisions are listed by their own page.
    .filter((page) => !/^adr\/\d/.test(page));
  const generated = ['reference/typescript/index.md'];
  expect([...listed].sort()).toEqual([...documents, ...Object.values(ROOT_PAGES), ...generated].sort());
});
