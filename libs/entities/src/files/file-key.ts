/** `<storage>://<path>` of a file reference: references with equal keys are of one file (contract/files.md#reference). */
export const fileKeyOf = (fileRef: string): string => fileRef.split('?', 1)[0] ?? fileRef;

/**
 * A statement that takes a lock on each of the files, until the end of the transaction; `$1` are their keys in their
 * order. `shared` waits for removals; `removal` does not wait, and returns the keys that it has locked.
 */
export const fileLockSql = (kind: 'shared' | 'removal'): string => {
  const lock = `hashtextextended('sys.removed_file ' || k.key, 0)`;
  const keys = 'unnest($1::text[]) WITH ORDINALITY AS k (key, position)';
  return kind === 'shared'
    ? `SELECT pg_advisory_xact_lock_shared(${lock}) FROM ${keys}`
    : `SELECT k.key FROM ${keys} WHERE pg_try_advisory_xact_lock(${lock})`;
};
