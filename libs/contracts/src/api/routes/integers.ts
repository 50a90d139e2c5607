import { inQuery, type ParameterDescription } from '../route-description.ts';

/** An integer of the query. Its handler reads the limits here. */
export interface IntegerParameter extends ParameterDescription {
  readonly schema: {
    readonly type: 'integer';
    readonly minimum: number;
    readonly maximum: number;
    readonly default?: number;
  };
}

const integer = (name: string, description: string, minimum: number, maximum: number, preset?: number) => ({
  ...inQuery(name, description),
  schema: { type: 'integer' as const, minimum, maximum, ...(preset === undefined ? {} : { default: preset }) },
  ...(preset === undefined ? {} : { example: preset }),
});

const MAX_OFFSET = 100_000;
/** Seven digits; larger numbers are of no version. */
const MAX_VERSION = 9_999_999;

/** Positions and maximum numbers of lists. */
export const INTEGERS = {
  slowStatements: integer('limit', 'Maximum number', 1, 1_000, 100),
  securityEvents: integer('limit', 'Maximum number', 1, 200, 50),
  deadLetters: integer('limit', 'Maximum number for each service', 1, 200, 100),
  logins: integer('limit', 'Maximum number', 1, 500, 50),
  loginsOffset: integer('offset', 'Number of newer attempts to omit', 0, MAX_OFFSET, 0),
  clients: integer('limit', 'Maximum number', 1, 1_000, 100),
  clientsOffset: integer('offset', 'Number of clients to omit', 0, MAX_OFFSET, 0),
  unreferencedFiles: integer('limit', 'Maximum number of files', 1, 100, 50),
  jobRuns: integer('limit', 'Maximum number of runs', 1, 200, 50),
  history: integer('limit', 'Maximum number of changes', 1, 100, 20),
  accessLog: integer('limit', 'Maximum number of entries', 1, 100, 20),
  found: integer('limit', 'Maximum number of instances of each entity', 1, 50, 5),
  versions: integer('limit', 'Maximum number of versions', 1, 100, 20),
  versionsBefore: integer('before', 'Only versions with smaller numbers', 1, MAX_VERSION),
  otherVersion: integer('with', 'The number of the other version; the newest one when absent', 1, MAX_VERSION),
} satisfies Readonly<Record<string, IntegerParameter>>;
