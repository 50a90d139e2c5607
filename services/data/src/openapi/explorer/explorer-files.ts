import { readFile } from 'node:fs/promises';
import { taggedText } from '@lintel/http';

/** A file of the explorer, ready to be sent. */
export interface ExplorerFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** Its `ETag`. */
  readonly tag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The scripts of the page. */
export const EXPLORER_SCRIPTS: readonly string[] = [
  'api-document.js',
  'authorize-dialog.js',
  'credentials.js',
  'elements.js',
  'format-json.js',
  'fragment.js',
  'login-button.js',
  'login.js',
  'match-operation.js',
  'oauth.js',
  'operations.js',
  'request-form.js',
  'show-response.js',
  'start.js',
];
/** The files that are served; other files of the folder are not. */
const SERVED: ReadonlySet<string> = new Set([
  ...EXPLORER_SCRIPTS,
  'explorer.css',
  'favicon.svg',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
]);

/** The same seen from `src` and from `dist`. */
const folder = new URL('../../../explorer/', import.meta.url);
const kept = new Map<string, ExplorerFile>();

/** A file of the page, cached after it was read; undefined for an unknown name. */
export async function explorerFile(name: string): Promise<ExplorerFile | undefined> {
  if (!SERVED.has(name)) return undefined;
  const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const file = kept.get(name) ?? fileOf(contentType, await readFile(new URL(name, folder)));
  kept.set(name, file);
  return file;
}

/** A file with the content. */
export function fileOf(contentType: string, content: Buffer): ExplorerFile {
  return Object.freeze({ contentType, content, tag: taggedText(content.toString('latin1')).tag });
}
