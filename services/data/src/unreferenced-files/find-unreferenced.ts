import type { ListedFile } from '@lintel/contracts';
import { type FileReferences, keyOfFile } from './create-file-references.ts';
import type { StoredFiles } from './stored-files.ts';

/** A file that nothing refers to. */
export interface UnreferencedFile {
  readonly fileRef: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: string;
}

/** A part of the list; it may have no file and still have a next part. */
export interface UnreferencedPage {
  readonly files: readonly UnreferencedFile[];
  /** Of the next part; null after the last one. */
  readonly cursor: string | null;
}

export interface UnreferencedDeps {
  readonly files: StoredFiles;
  readonly references: FileReferences;
  /** Files that were stored later are left out. */
  readonly storedBefore: () => Date;
}

/** Files that are examined at a time, and for one request. */
const STEP = 500;
const MAX_EXAMINED = 2_000;

/** Looks for files of users that nothing refers to, from a position on, until the page is full or 2,000 are examined. */
export async function findUnreferenced(
  cursor: string | undefined,
  limit: number,
  { files, references, storedBefore }: UnreferencedDeps,
): Promise<UnreferencedPage> {
  const found: UnreferencedFile[] = [];
  let after = cursor;
  for (let examined = 0; examined < MAX_EXAMINED; examined += STEP) {
    const listed = await files.list(after, STEP);
    const old = listed.files.filter(({ lastModified }) => new Date(lastModified) < storedBefore());
    const referenced = await references.referenced(old.map(keyOfFile));
    const open = old.filter((file) => !referenced.has(keyOfFile(file)));
    const room = limit - found.length;
    const taken = open.slice(0, room);
    for (const file of await files.describe(taken.map(referenceOf)))
      if (file.storedBy === undefined) found.push(toUnreferenced(file));
    const last = taken.at(-1);
    if (open.length > room && last !== undefined) return { files: found, cursor: `${last.storage}/${last.path}` };
    if (listed.next === null) return { files: found, cursor: null };
    after = listed.next;
    if (found.length >= limit) break;
  }
  return { files: found, cursor: after ?? null };
}

/** A reference without the name of the file, which only a description has. */
const referenceOf = (file: ListedFile): string => {
  const name = file.name ?? file.path.split('/').at(-1) ?? '';
  return `${keyOfFile(file)}?${new URLSearchParams({ name })}`;
};

const toUnreferenced = (file: ListedFile): UnreferencedFile => ({
  fileRef: referenceOf(file),
  name: file.name ?? file.path.split('/').at(-1) ?? '',
  size: file.size,
  lastModified: file.lastModified,
});
