/**
 * One step of the database schema. Written by `lintel migrate generate` from the difference between the
 * model and the database, then kept under version control and never changed.
 */
export interface Migration {
  /** `<timestamp>-<words>`; the timestamp orders the steps. */
  readonly name: string;
  /** Statements of the step, in order. One transaction has all of them, unless one creates an index concurrently. */
  readonly up: readonly string[];
  /** Reverts `up`; empty if that is impossible. If it is unnecessary, a comment: `['-- the rows may stay']`. */
  readonly down: readonly string[];
}

/** Defines a migration. */
export const defineMigration = (migration: Migration): Migration => Object.freeze(migration);
