import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsIn, linksOf } from '../src/markdown.ts';
import { ROOT } from '../src/paths.ts';

const PAGES = globSync(
  ['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'examples/**/*.md', 'libs/**/*.md', 'services/**/*.md', 'tools/**/*.md'],
  { cwd: ROOT, exclude: (path) => path.includes('node_modules') },
);
const texts = new Map(PAGES.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')]));
const anchors = new Map([...texts].map(([page, text]) => [page, anchorsIn(text)]));

/** The page that a link to a file or folder shows in the repository. */
const pageAt = (path: string): string => (texts.has(`${path}/README.md`) ? `${path}/README.md` : path);

function* deadLinks(page: string, text: string): Iterable<string> {
  for (const { target } of linksOf(text)) {
    if (/^[a-z][a-z+.-]*:/i.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const linked = path === '' ? page : posix.join(posix.dirname(page), path).replace(/\/$/, '');
    if (!existsSync(join(ROOT, linked))) yield `${page}: ${target} is not there`;
    else if (anchor !== undefined && anchors.get(pageAt(linked))?.has(anchor) === false)
      yield `${page}: ${target}, an anchor that is not there`;
  }
}

test('every link between documents leads to a file and to an anchor that are there', () => {
  expect(PAGES.length).toBeGreaterThan(100);
  expect([...texts].flatMap(([page, text]) => [...deadLinks(page, text)])).toEqual([]);
});
