import { type ErrorCode, PlatformError, type PlatformErrorOptions } from '@lintel/errors';

/** Details that the database reports of a failed statement. Names are those of the database, not of the model. */
export interface DatabaseErrorDetails {
  /** SQLSTATE, or the operating system's code where the database could not be reached. */
  readonly sqlState: string | undefined;
  readonly schema: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
  /** Of a violated foreign key. */
  readonly reference?: ViolatedReference;
  /** Number of the statement parameter whose text is no value of its type; the first one is 1. */
  readonly parameter?: number;
  /** Unique values are exchanged by the statement that failed. */
  readonly isExchange?: true;
}

/** The side of a foreign key that was violated. */
export interface ViolatedReference {
  /** `missing`: a row refers to one that does not exist; `used`: other rows refer to the one that is deleted. */
  readonly kind: 'missing' | 'used';
  /** The values of the columns of the side, as the database writes them. */
  readonly values: string;
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
