import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { anchorOf, titleOf } from './markdown.ts';
import { CONTENT } from './paths.ts';
import { SECTIONS, type Section, SHORT_TITLES } from './site-map.ts';

const TYPESCRIPT = 'reference/typescript';

/** An entry of the side bar, in the form of VitePress. */
export interface SideBarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SideBarItem[];
}

/** The side bars by the path of the pages: one with all sections, and one with the exports of the TypeScript API. */
export const sideBars = (): Record<string, SideBarItem[]> => ({
  '/': SECTIONS.map((section) => ({ text: section.title, link: linkTo(section.path), items: itemsOf(section) })),
  '/reference/typescript/': [
    { text: 'Reference', link: '/reference/' },
    { text: 'TypeScript API', link: '/reference/typescript/', items: typeScriptItems() },
  ],
});

const typeScriptItems = (): readonly SideBarItem[] =>
  globSync('*/index.md', { cwd: join(CONTENT, TYPESCRIPT) })
    .map((index) => dirname(index))
    .sort()
    .map((name) => ({
      text: `@lintel/${name}`,
      link: `/${TYPESCRIPT}/${name}/`,
      collapsed: true,
      items: globSync(`${name}/*/*.md`, { cwd: join(CONTENT, TYPESCRIPT) })
        .map((page) => ({ text: basename(page, '.md'), link: linkTo(`${TYPESCRIPT}/${page}`) }))
        .sort((left, right) => left.text.localeCompare(right.text, 'en')),
    }));

function itemsOf({ groups, path }: Section): readonly SideBarItem[] {
  if (groups.length === 1) return (groups[0]?.pages ?? []).map(toItem);
  // With a link, since an item that only opens would be a button with a button in it.
  return groups.map(({ title, pages }) => ({
    text: title,
    link: `${linkTo(path)}#${anchorOf(title)}`,
    collapsed: true,
    items: pages.map(toItem),
  }));
}

function toItem(page: string): SideBarItem {
  const path = page.replace(/README\.md$/, 'index.md');
  const text = SHORT_TITLES[page] ?? titleOf(readFileSync(join(CONTENT, path), 'utf8'));
  return { text, link: linkTo(path) };
}

const linkTo = (page: string): string => `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
