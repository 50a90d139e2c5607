import { type ErrorCode, PlatformError, type PlatformErrorOptions } from '@lintel/errors';

/** Details that the database reports of a failed statement. Names are those of the database, not of the model. */
export interface DatabaseErrorDetails {
  /** SQLSTATE, or the operating system's code where the database could not be reached. */
  readonly sqlState: string | undefined;
  readonly schema: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
}

/** An error of the database, with the details by which callers name the attributes concerned. */
export class DatabaseError extends PlatformError {
  readonly database: DatabaseErrorDetails;

  constructor(code: ErrorCode, text: string, database: DatabaseErrorDetails, options: PlatformErrorOptions) {
    super(code, text, options);
    this.name = 'DatabaseError';
    this.database = database;
  }
}

/** The details of an error of the database; undefined for other errors. */
export function databaseErrorDetailsOf(error: unknown): DatabaseErrorDetails | undefined {
  return error instanceof Error && 'database' in error && typeof error.database === 'object'
    ? (error.database as DatabaseErrorDetails)
    : undefined;
}
