import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { llmsFull, llmsIndex, type TextPage } from './llms.ts';
import { CONTENT, SITE } from './paths.ts';
import { readPublication } from './publication.ts';
import { SECTIONS } from './site-map.ts';

const DIST = join(SITE, 'dist');

/** Adds what programs read to the built site: each page as Markdown, `llms.txt` and `llms-full.txt`. */
export function writeTextFiles(): void {
  for (const page of globSync('**/*.md', { cwd: CONTENT })) {
    const target = join(DIST, page);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(CONTENT, page), target);
  }
  const read = (page: string): TextPage => ({ page, text: readFileSync(join(CONTENT, page), 'utf8') });
  writeFileSync(join(DIST, 'llms.txt'), llmsIndex(SECTIONS, read, readPublication().url));
  writeFileSync(join(DIST, 'llms-full.txt'), llmsFull(SECTIONS, read));
}
