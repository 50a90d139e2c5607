import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { taggedText } from '@lintel/http';
import { START_SCRIPT } from './explorer-page.ts';

/** A file of the explorer, ready to be sent. */
export interface ExplorerFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** Its `ETag`. */
  readonly tag: string;
}

/** The files that the page loads, by name; other files of the package are not served. */
const PACKAGED: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const OWN: Readonly<Record<string, ExplorerFile>> = {
  'start.js': fileOf('text/javascript; charset=utf-8', Buffer.from(START_SCRIPT)),
};

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const kept = new Map<string, ExplorerFile>();

/** A file of the page, cached after it was read; undefined for an unknown name. */
export async function explorerFile(name: string): Promise<ExplorerFile | undefined> {
  if (Object.hasOwn(OWN, name)) return OWN[name];
  const contentType = Object.hasOwn(PACKAGED, name) ? PACKAGED[name] : undefined;
  if (contentType === undefined) return undefined;
  const file = kept.get(name) ?? fileOf(contentType, await readFile(join(folder, name)));
  kept.set(name, file);
  return file;
}

/** A file with the content. */
export function fileOf(contentType: string, content: Buffer): ExplorerFile {
  return Object.freeze({ contentType, content, tag: taggedText(content.toString('latin1')).tag });
}
