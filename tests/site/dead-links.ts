import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileOf } from './serve-site.ts';

/** Links and sources of all pages of a built site that lead to no file, or to an anchor that the page does not have. */
export function deadLinksOf(folder: string, base: string): readonly string[] {
  const texts = new Map(
    globSync('**/*.html', { cwd: folder }).map((page) => [page, readFileSync(join(folder, page), 'utf8')]),
  );
  const anchors = new Map(
    [...texts].map(([page, text]) => [page, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead = new Set<string>();
  for (const [page, text] of texts) {
    const own = new URL(`${base}${page}`, 'http://site');
    for (const [, target = ''] of text.matchAll(/<(?:a|img|link)\b[^>]*?\s(?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(target.replaceAll('&amp;', '&'), own);
      if (origin !== own.origin) continue;
      const file = pathname.startsWith(base) ? fileOf(folder, pathname.slice(base.length - 1)) : undefined;
      if (file === undefined) dead.add(`${page}: ${target}`);
      else if (hash !== '' && anchors.get(relative(folder, file))?.has(decodeURIComponent(hash.slice(1))) === false)
        dead.add(`${page}: ${target}, an anchor that is not there`);
    }
  }
  return [...dead];
}
