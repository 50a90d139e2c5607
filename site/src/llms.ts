import { summaryOf, titleOf } from './markdown.ts';
import type { Section } from './site-map.ts';

/** A page of the site with its text in Markdown. */
export interface TextPage {
  readonly page: string;
  readonly text: string;
}

const HEAD = `# Lintel

> A REST platform in TypeScript: an application describes its data model, roles, queries, services and reports, and Lintel serves them as a secured HTTP API on PostgreSQL.

Notes for programs that read these pages:

- The contract pages are the exact rules of the HTTP API; guides explain how to use it. Where they differ, the contract is right.
- An application imports @lintel/application, @lintel/metadata and @lintel/security, and nothing of the services.
- Lintel is not Jmix and contains no code of it; the API is compatible with clients of that platform.
- [All pages in one file](llms-full.txt)
`;

const pagesOf = ({ groups }: Section): readonly string[] =>
  groups.flatMap(({ pages }) => pages.map((page) => page.replace(/README\.md$/, 'index.md')));

/** The text of `llms.txt` (https://llmstxt.org): the pages of each section with a sentence about each. */
export function llmsIndex(sections: readonly Section[], read: (page: string) => TextPage, address: string): string {
  const lists = sections.map((section) => {
    const lines = pagesOf(section).map((page) => {
      const { text } = read(page);
      const summary = summaryOf(text);
      return `- [${titleOf(text)}](${address}${page})${summary === '' ? '' : `: ${summary}`}`;
    });
    return `## ${section.title}\n\n${lines.join('\n')}\n`;
  });
  return `${HEAD.replace('(llms-full.txt)', `(${address}llms-full.txt)`)}\n${lists.join('\n')}`;
}

/** All pages of the sections in one text, each with its path. */
export const llmsFull = (sections: readonly Section[], read: (page: string) => TextPage): string =>
  `${sections
    .flatMap(pagesOf)
    .map((page) => `<!-- ${page} -->\n\n${read(page).text.trim()}\n`)
    .join('\n')}`;
