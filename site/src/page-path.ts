import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT_PAGES } from './site-map.ts';

/**
 * The page of the site that a file of the repository becomes, or `undefined` if it becomes none.
 *
 * @param file path from the root of the repository; a folder stands for the page that describes it
 */
export function pageOf(file: string, root: string): string | undefined {
  const rootPage = ROOT_PAGES[file];
  if (rootPage !== undefined) return rootPage;
  if (!file.startsWith('docs/')) return undefined;
  const path = posix.normalize(file.slice('docs/'.length)).replace(/\/$/, '');
  if (/\.\w+$/.test(path)) return path.replace(/(^|\/)README\.md$/, '$1index.md');
  const isDescribed = existsSync(join(root, file, 'README.md')) || path === 'guide' || path === 'reference';
  return isDescribed ? `${path}/index.md` : undefined;
}
