import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../compression/choose-coding.ts';

/** A file of the console, ready to be sent. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly content: Buffer;
  /** Its `ETag` without a coding. */
  readonly tag: string;
  /** Whether it is text. */
  readonly isCompressible: boolean;
  /** The content in a coding; made once. */
  encoded(coding: Coding): Promise<Buffer>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const TEXT = new Set(['.css', '.html', '.js', '.json', '.md', '.svg']);
/** The folder of files whose names have a hash of their content. */
const HASHED = 'assets/';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

/**
 * Reads all files of the built console, by their paths with slashes. Only these are ever served, so that no path of a
 * request is a path of the disk.
 */
export function readConsoleFiles(folder: URL): ReadonlyMap<string, ConsoleFile> {
  const root = fileURLToPath(folder);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = relative(root, join(parentPath, name)).split(sep).join('/');
      return [path, fileOf(path, readFileSync(join(parentPath, name)))];
    }),
  );
}

function fileOf(path: string, content: Buffer): ConsoleFile {
  const extension = extname(path);
  const codings = new Map<Coding, Promise<Buffer>>();
  return {
    contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream',
    cacheControl: path.startsWith(HASHED) ? IMMUTABLE : REVALIDATED,
    content,
    tag: `"${hash('sha256', content, 'base64url').slice(0, 22)}"`,
    isCompressible: TEXT.has(extension),
    encoded(coding) {
      const known = codings.get(coding);
      if (known !== undefined) return known;
      const encoding = encode(content, coding);
      codings.set(coding, encoding);
      return encoding;
    },
  };
}

/** The codings of static files, the one that makes them shortest first. */
export const STATIC_CODINGS: readonly Coding[] = ['br', 'gzip'];

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
/** Compressed once, outside of the event loop. Higher qualities of Brotli take ten times as long for a twentieth. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

const encode = (content: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br'
    ? brotli(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      })
    : deflate(content, { level: GZIP_LEVEL });
