import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listPage } from './list-page.ts';
import { pageOf } from './page-path.ts';
import { CONTENT, ROOT, SITE } from './paths.ts';
import { readPublication } from './publication.ts';
import { type Repository, rewriteLinks } from './rewrite-links.ts';
import { ROOT_PAGES, SECTIONS } from './site-map.ts';

/** Comments with which tests find commands. */
const TEST_COMMENT = /^<!-- newcomer: \w+ -->\n/gm;

/** `reference` and what other steps write into it. */
const KEPT = new Set(['reference', 'reference/typescript']);

/** Writes the pages that VitePress reads, from the documents of the repository. Those of the TypeScript API stay. */
export function prepareContent(): void {
  for (const path of globSync(['*', 'reference/*'], { cwd: CONTENT }))
    if (!KEPT.has(path)) rmSync(join(CONTENT, path), { recursive: true });
  const repository: Repository = { root: ROOT, url: readPublication().files };
  const documents = globSync('docs/**/*.*', { cwd: ROOT }).filter((file) => pageOf(file, ROOT) !== undefined);
  for (const file of [...documents, ...Object.keys(ROOT_PAGES)]) copyDocument(file, repository);
  for (const section of SECTIONS) writePage(section.path, listPage(section, readPage));
  cpSync(join(SITE, 'start'), CONTENT, { recursive: true });
}

function copyDocument(file: string, repository: Repository): void {
  const page = pageOf(file, ROOT) ?? file;
  if (file.endsWith('.md')) {
    writePage(page, rewriteLinks(readFileSync(join(ROOT, file), 'utf8'), file, repository).replace(TEST_COMMENT, ''));
    return;
  }
  // Pages import their images; all files are also served as they are.
  for (const folder of page.startsWith('images/') ? ['', 'public'] : ['public']) {
    const target = join(CONTENT, folder, page);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, file), target);
  }
}

const readPage = (page: string): string => readFileSync(join(CONTENT, page), 'utf8');

function writePage(page: string, text: string): void {
  const target = join(CONTENT, page);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
