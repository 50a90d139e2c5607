import { StartError } from '@lintel/errors';

/** The step of a migration that was refused. */
export interface FailedStep {
  readonly migration: string;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly statement: string;
  /** Number of attempts, if it failed because other sessions kept a lock. */
  readonly attempts?: number;
  /** Whether the effects of earlier statements stay, because there is no transaction. */
  readonly keepsEarlier?: boolean;
}

/**
 * A migration that cannot be run. Earlier migrations stay applied; of this one no effect stays, or only statements that
 * can be repeated.
 */
export class MigrationError extends StartError {
  readonly migration: string;
  /** Number of the statement, from 1; undefined if none was run. */
  readonly position: number | undefined;

  constructor(
    migration: string,
    message: string,
    options: { readonly cause?: unknown; readonly position?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'MigrationError';
    this.migration = migration;
    this.position = options.position;
  }
}

/** A statement that the database refused. */
export function failedStep(step: FailedStep, cause: unknown): MigrationError {
  const { migration, position, count, statement, attempts, keepsEarlier = false } = step;
  const tried =
    attempts === undefined
      ? ''
      : `\n  ${attempts} attempts: other transactions hold locks on what it changes, for too long`;
  const known = isThereAlready(cause)
    ? '\n  If the tables of the application were there before its migrations, "lintel migrate baseline" takes them over.'
    : '';
  return new MigrationError(
    migration,
    `Migration ${migration} failed at statement ${position} of ${count}: ${reasonOf(cause)}\n  in: ${statement}${tried}${known}\n  ${keepsEarlier ? 'What was done before it stays; the next run goes on here.' : 'Nothing of this migration was kept.'}`,
    { cause, position },
  );
}

/** SQLSTATE of schemas and tables that a statement creates and that exist. */
const DUPLICATES: readonly unknown[] = ['42P06', '42P07'];

const isThereAlready = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && DUPLICATES.includes(cause.code);

/** The error message of PostgreSQL with its detail and hint: the row that causes it, and the remedy. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const more = ['detail', 'hint'].flatMap((member) => {
    const text: unknown = (cause as unknown as Record<string, unknown>)[member];
    return typeof text === 'string' && text !== '' ? [`\n  ${member}: ${text}`] : [];
  });
  return `${cause.message}${more.join('')}`;
}

/** The text of a migration that has run differs from the one in the code: the state of the database is unknown. */
export class ChangedMigrationError extends StartError {
  constructor(names: readonly string[]) {
    super(
      `${names.length === 1 ? 'Migration' : 'Migrations'} ${names.join(', ')} changed after being run on this database. Restore the file and write a new migration for what is to change; where the change makes no difference, "lintel migrate accept <name>" takes the new text.`,
    );
    this.name = 'ChangedMigrationError';
  }
}
