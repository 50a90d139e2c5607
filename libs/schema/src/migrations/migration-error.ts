import { StartError } from '@lintel/errors';

/** Where in a migration something was refused. */
export interface FailedStep {
  readonly migration: string;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly statement: string;
  /** How often it was tried, where it was given up for a lock that others held. */
  readonly attempts?: number;
  /** Whether what was done before it stays: outside of a transaction. */
  readonly keepsEarlier?: boolean;
}

/** A migration that cannot be run. What ran before it stays; of itself nothing does, or what can be repeated. */
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
  return new MigrationError(
    migration,
    `Migration ${migration} failed at statement ${position} of ${count}: ${reasonOf(cause)}\n  in: ${statement}${tried}\n  ${keepsEarlier ? 'What was done before it stays; the next run goes on here.' : 'Nothing of this migration was kept.'}`,
    { cause, position },
  );
}

/** What PostgreSQL says, with what it adds: the row that is in the way, what to do about it. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const more = ['detail', 'hint'].flatMap((member) => {
    const text: unknown = (cause as unknown as Record<string, unknown>)[member];
    return typeof text === 'string' && text !== '' ? [`\n  ${member}: ${text}`] : [];
  });
  return `${cause.message}${more.join('')}`;
}

/** A migration that has run here is not the one of the code any longer: nobody knows what the database has. */
export class ChangedMigrationError extends StartError {
  constructor(names: readonly string[]) {
    super(
      `${names.length === 1 ? 'Migration' : 'Migrations'} ${names.join(', ')} changed after being run on this database. Restore the file and write a new migration for what is to change; where the change makes no difference, "lintel-migrate accept <name>" takes the new text.`,
    );
    this.name = 'ChangedMigrationError';
  }
}
