import { posix } from 'node:path';
import { summaryOf, titleOf } from './markdown.ts';
import { type Section, SHORT_TITLES } from './site-map.ts';

/** The page with which a section begins: its pages, each with its first sentence. */
export function listPage(section: Section, readPage: (page: string) => string): string {
  const folder = posix.dirname(section.path);
  const groups = section.groups.map(({ title, pages }) => {
    const lines = pages.map((listed) => {
      const page = listed.replace(/README\.md$/, 'index.md');
      const text = readPage(page);
      const summary = summaryOf(text);
      return `- [${SHORT_TITLES[listed] ?? titleOf(text)}](./${posix.relative(folder, page)})${summary === '' ? '' : `: ${summary}`}`;
    });
    return `${section.groups.length > 1 ? `## ${title}\n\n` : ''}${lines.join('\n')}\n`;
  });
  return `# ${section.title}\n\n${section.description}\n\n${groups.join('\n')}`;
}
