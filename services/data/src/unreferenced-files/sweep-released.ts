import type { Database } from '@lintel/persistence';
import { fileKeyOf } from '@lintel/reading';
import type { FileReferences } from './create-file-references.ts';
import type { StoredFiles } from './stored-files.ts';

/** Files that are examined at a time. */
const BATCH = 200;

export interface SweepDeps {
  readonly database: Pick<Database, 'query'>;
  readonly files: StoredFiles;
  readonly references: FileReferences;
}

/**
 * Removes the files of versions of reports that were deleted, unless something still refers to them
 * (contract/reports.md#versions). Several replicas may do it at the same time. What fails is done again by the next
 * sweep.
 *
 * @returns number of removed files
 */
export async function sweepReleased({ database, files, references }: SweepDeps): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await database.query<{ readonly id: string; readonly fileRef: string }>({
      name: 'data_released_files',
      text: `SELECT id::text AS id, file_ref AS "fileRef" FROM report.released_file ORDER BY id LIMIT ${BATCH}`,
      values: [],
    });
    if (rows.length === 0) return removed;
    const known = await files.describe(rows.map(({ fileRef }) => fileRef));
    const uploaded = new Set(
      known.filter(({ storedBy }) => storedBy === undefined).map(({ storage, path }) => `${storage}://${path}`),
    );
    const claimed = await references.claim(
      rows.map(({ fileRef }) => fileKeyOf(fileRef)).filter((key) => uploaded.has(key)),
    );
    for (const key of claimed)
      await files.remove(rows.find(({ fileRef }) => fileKeyOf(fileRef) === key)?.fileRef ?? '');
    removed += claimed.size;
    await database.query({
      name: 'data_forget_released_files',
      text: 'DELETE FROM report.released_file WHERE id = ANY ($1::bigint[])',
      values: [rows.map(({ id }) => id)],
    });
  }
}
