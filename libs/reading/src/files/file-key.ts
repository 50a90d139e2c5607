/** `<storage>://<path>` of a file reference: references with equal keys are of one file (contract/files.md#reference). */
export const fileKeyOf = (fileRef: string): string => fileRef.split('?', 1)[0] ?? fileRef;

/**
 * Parts of all files, each with one lock: a save may refer to thousands of files, and the locks of all transactions
 * together have to fit into the memory of the database that is reserved for them.
 */
const PARTS = 64;

const partOf = (key: string): string => `(hashtext(${key}) & ${PARTS - 1})`;
const lockOf = (part: string): string => `hashtextextended('sys.removed_file ' || ${part}, 0)`;
const PARTS_OF_FILES = `(SELECT DISTINCT ${partOf('f.key')} AS part FROM unnest($1::text[]) AS f (key)) AS p`;

/**
 * A statement that locks files (the parts that they belong to) until the end of the transaction; `$1` are their keys.
 * `shared` waits for removals; `removal` does not wait, and returns the keys that it has locked.
 */
export const fileLockSql = (kind: 'shared' | 'removal'): string =>
  kind === 'shared'
    ? `SELECT pg_advisory_xact_lock_shared(${lockOf('p.part')}) FROM ${PARTS_OF_FILES}`
    : `WITH locked AS MATERIALIZED (
  SELECT p.part, pg_try_advisory_xact_lock(${lockOf('p.part')}) AS is_locked FROM ${PARTS_OF_FILES}
)
SELECT k.key FROM unnest($1::text[]) AS k (key) JOIN locked ON locked.part = ${partOf('k.key')} WHERE locked.is_locked`;
