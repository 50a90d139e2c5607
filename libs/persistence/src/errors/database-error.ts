import { type ErrorCode, PlatformError, type PlatformErrorOptions } from '@lintel/errors';

/** What the database said about a failed statement. Names are those of the database, not of the model. */
export interface DatabaseErrorDetails {
  /** SQLSTATE, or the operating system's code where the database could not be reached. */
  readonly sqlState: string | undefined;
  readonly schema: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
}

/** A failure reported by the database, with what callers need to name the attributes concerned. */
export class DatabaseError extends PlatformError {
  readonly database: DatabaseErrorDetails;

  constructor(code: ErrorCode, text: string, database: DatabaseErrorDetails, options: PlatformErrorOptions) {
    super(code, text, options);
    this.name = 'DatabaseError';
    this.database = database;
  }
}

/** What the database said, if the error came from there. */
export function databaseErrorDetailsOf(error: unknown): DatabaseErrorDetails | undefined {
  return error instanceof Error && 'database' in error && typeof error.database === 'object'
    ? (error.database as DatabaseErrorDetails)
    : undefined;
}
