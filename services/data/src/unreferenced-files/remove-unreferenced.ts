import { fileKeyOf } from '@lintel/reading';
import { keyOfFile } from './create-file-references.ts';
import type { UnreferencedDeps } from './find-unreferenced.ts';

/** What happened to a file. */
export type Removal = 'removed' | 'referenced' | 'recent' | 'unknown';

/** The file of a reference, and what happened to it. */
export interface FileRemoval {
  readonly fileRef: string;
  readonly result: Removal;
}

/**
 * Removes files of users that nothing refers to. Each is examined again, under a lock: a reference that is written at
 * the same time keeps the file, or is refused.
 */
export async function removeUnreferenced(
  fileRefs: readonly string[],
  { files, references, storedBefore }: UnreferencedDeps,
): Promise<readonly FileRemoval[]> {
  const known = new Map((await files.describe(fileRefs)).map((file) => [keyOfFile(file), file]));
  const isOld = (key: string): boolean => new Date(known.get(key)?.lastModified ?? '') < storedBefore();
  const isOfUser = (key: string): boolean => known.has(key) && known.get(key)?.storedBy === undefined;
  const keys = fileRefs.map(fileKeyOf);
  const claimed = await references.claim(keys.filter((key) => isOfUser(key) && isOld(key)));
  const results: FileRemoval[] = [];
  for (const fileRef of fileRefs) {
    const key = fileKeyOf(fileRef);
    if (claimed.has(key)) await files.remove(fileRef);
    results.push({ fileRef, result: resultOf(key) });
  }
  return results;

  function resultOf(key: string): Removal {
    if (!isOfUser(key)) return 'unknown';
    if (!isOld(key)) return 'recent';
    return claimed.has(key) ? 'removed' : 'referenced';
  }
}
