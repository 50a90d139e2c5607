import type { Principal } from '@lintel/contracts';
import { type FileSearchDependencies, refersToFile, type UnreadableFiles, unrecorded } from '@lintel/reading';
import { keyOfFile } from '../unreferenced-files/create-file-references.ts';
import type { StoredFiles } from '../unreferenced-files/stored-files.ts';

/** As many as the files service describes at once. */
const BATCH = 200;

/** Files that a caller could read only by a reference of its own: for writes, with `svc.files.access=references`. */
export const createUnreadableFiles =
  (files: StoredFiles, deps: Omit<FileSearchDependencies, 'database'>): UnreadableFiles =>
  async (fileRefs: readonly string[], principal: Principal, database, isDownload = false) => {
    const unreadable = new Set<string>();
    const loadAccess = (each: Principal) => (isDownload ? deps.loadAccess(each) : unrecorded(deps.loadAccess(each)));
    const testing = { ...deps, database, loadAccess };
    for (let at = 0; at < fileRefs.length; at += BATCH)
      for (const file of await files.describe(fileRefs.slice(at, at + BATCH), principal)) {
        const key = keyOfFile(file);
        if (file.isOfReader !== true && !(await refersToFile(key, principal, testing))) unreadable.add(key);
      }
    return unreadable;
  };
