import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '@lintel/errors';
import type { ListedBlob } from '../blob-store.ts';

/** Deeper folders are of other programs. */
const MAX_DEPTH = 8;

/**
 * The files of a folder in the order of the parts of their keys, those after `after`; hidden files and folders are no
 * blobs. Each folder is read when its files are needed.
 */
export async function listFolder(root: string, after: string | undefined, limit: number): Promise<ListedBlob[]> {
  const found: ListedBlob[] = [];
  for await (const key of keysBelow(root, [], after?.split('/'))) {
    const file = await stat(join(root, ...key.split('/'))).catch((error: unknown) => {
      // Removed since its folder was read.
      if (errorCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (file?.isFile()) found.push({ key, size: file.size, lastModified: file.mtime });
    if (found.length >= limit) break;
  }
  return found;
}

async function* keysBelow(
  root: string,
  parts: readonly string[],
  after: readonly string[] | undefined,
): AsyncGenerator<string> {
  if (parts.length >= MAX_DEPTH) return;
  const entries = await readdir(join(root, ...parts), { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const [first = '', ...rest] = after ?? [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith('.') || name < first) continue;
    const isAtCursor = after !== undefined && name === first;
    if (entry.isDirectory()) yield* keysBelow(root, [...parts, name], isAtCursor && rest.length > 0 ? rest : undefined);
    else if (!isAtCursor) yield [...parts, name].join('/');
  }
}
