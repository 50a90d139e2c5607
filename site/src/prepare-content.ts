import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listPage } from './list-page.ts';
import { pageOf } from './page-path.ts';
import { CONTENT, ROOT, SITE } from './paths.ts';
import { readPublication } from './publication.ts';
import { type Repository, rewriteLinks } from './rewrite-links.ts';
import { ROOT_PAGES, SECTIONS } from './site-map.ts';

/** Comments with which tests find commands. */
const TEST_COMMENT = /^<!-- newcomer: \w+ -->\n/gm;

/** What other steps write into the content. */
const OF_OTHER_STEPS = 'reference/typescript/';

/**
 * Writes the pages that VitePress reads, from the documents of the repository. Only files that differ are written, so
 * that the development server shows the changed page and reads no other again.
 */
export function prepareContent(): void {
  const repository: Repository = { root: ROOT, url: readPublication().files };
  const documents = globSync('docs/**/*.*', { cwd: ROOT }).filter((file) => pageOf(file, ROOT) !== undefined);
  const written = new Set([
    ...[...documents, ...Object.keys(ROOT_PAGES)].flatMap((file) => copyDocument(file, repository)),
    ...globSync('**/*.*', { cwd: join(SITE, 'start') }).map((file) =>
      write(file, readFileSync(join(SITE, 'start', file))),
    ),
  ]);
  for (const section of SECTIONS) written.add(write(section.path, Buffer.from(listPage(section, readPage))));
  for (const { parentPath, name } of readdirSync(CONTENT, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )) {
    const path = relative(CONTENT, join(parentPath, name));
    if (!written.has(path) && !path.startsWith(OF_OTHER_STEPS)) rmSync(join(CONTENT, path));
  }
}

/** Writes a document; returns the files, relative to the content. */
function copyDocument(file: string, repository: Repository): readonly string[] {
  const page = pageOf(file, ROOT) ?? file;
  const content = readFileSync(join(ROOT, file));
  if (file.endsWith('.md')) {
    const text = rewriteLinks(content.toString('utf8'), file, repository).replace(TEST_COMMENT, '');
    return [write(page, Buffer.from(text))];
  }
  // Pages import their images; all files are also served as they are.
  return (page.startsWith('images/') ? ['', 'public'] : ['public']).map((folder) => write(join(folder, page), content));
}

const readPage = (page: string): string => readFileSync(join(CONTENT, page), 'utf8');

function write(path: string, content: Buffer): string {
  const target = join(CONTENT, path);
  if (existsSync(target) && readFileSync(target).equals(content)) return path;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  return path;
}
