import { posix } from 'node:path';
import { linksOf, type PageLink } from './markdown.ts';
import { pageOf } from './page-path.ts';

/** Where files can be read that are no pages of the site. */
export interface Repository {
  /** Folder of the clone. */
  readonly root: string;
  /** Address before the path of a file; `undefined` if the clone is published nowhere. */
  readonly url: string | undefined;
}

const isExternal = (target: string): boolean => /^[a-z][a-z+.-]*:/i.test(target) || target.startsWith('//');

/**
 * The text of a file of the repository with links that are right on the site: to other pages, or else to the file in
 * the repository. If its address is unknown, the text of the link stays without the link.
 */
export function rewriteLinks(text: string, file: string, repository: Repository): string {
  const page = pageOf(file, repository.root) ?? file;
  let rewritten = '';
  let position = 0;
  for (const link of linksOf(text)) {
    const { target, start, end } = link;
    if (isExternal(target) || target.startsWith('#')) continue;
    const [path = '', anchor] = target.split('#');
    const linked = posix.join(posix.dirname(file), path);
    const linkedPage = pageOf(linked, repository.root);
    if (linkedPage === undefined && repository.url === undefined) {
      const opening = openingOf(text, link);
      rewritten += text.slice(position, opening) + text.slice(opening + 1, start - 2);
      position = end + 1;
      continue;
    }
    const isPicture = text[openingOf(text, link) - 1] === '!';
    const address =
      linkedPage === undefined
        ? `${repository.url}/${linked}`
        : isPicture || linkedPage.endsWith('.md')
          ? relativeLink(posix.dirname(page), linkedPage)
          : `/${linkedPage}`;
    rewritten += text.slice(position, start) + address + (anchor === undefined ? '' : `#${anchor}`);
    position = end;
  }
  return rewritten + text.slice(position);
}

/** Position of the bracket that opens the text of a link. */
function openingOf(text: string, { start }: PageLink): number {
  let depth = 0;
  for (let index = start - 2; index >= 0; index--) {
    if (text[index] === ']') depth++;
    else if (text[index] === '[' && --depth === 0) return index;
  }
  throw new Error(`A link has no opening bracket: ${text.slice(Math.max(0, start - 60), start)}`);
}

function relativeLink(folder: string, page: string): string {
  const path = posix.relative(folder, page);
  return path.startsWith('.') ? path : `./${path}`;
}
