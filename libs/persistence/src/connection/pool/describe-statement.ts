import pg, { type Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement, StatementDescription } from '../../database.ts';
import { translateDatabaseError } from '../../errors/translate-database-error.ts';
import {
  type Condition,
  type Connection,
  conditionAfter,
  runStatement,
  withDeadline,
} from '../statements/submit-statement.ts';
import type { ConnectionPool } from './connection-pool.ts';

/** SQL names of types by their numbers. */
const TYPES = `SELECT
  ARRAY(SELECT format_type(type, NULL) FROM unnest($1::oid[]) WITH ORDINALITY AS t(type, at) ORDER BY at) AS parameters,
  ARRAY(SELECT format_type(type, NULL) FROM unnest($2::oid[]) WITH ORDINALITY AS t(type, at) ORDER BY at) AS columns`;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface Described {
  readonly parameterTypes: readonly number[];
  readonly fields: readonly Field[];
}

/**
 * Determines the types of a statement's parameters and columns, without running it. The statement must be valid as a
 * subquery in `FROM`; the server refuses anything else, and several commands in one text.
 */
export async function describeStatement(
  pool: ConnectionPool,
  { text }: Statement,
  signal: AbortSignal | undefined,
): Promise<StatementDescription> {
  signal?.throwIfAborted();
  const connection = await pool.takeOne();
  let condition: Condition = 'usable';
  try {
    // The line break ends a comment at the end of the text.
    const { parameterTypes, fields } = await described(
      connection,
      `SELECT * FROM (\n${text}\n) described`,
      pool.deadlineMs,
    );
    const values = [parameterTypes, fields.map(({ dataTypeID }) => dataTypeID)];
    const { rows } = await runStatement(connection, { text: TYPES, values }, pool.deadlineMs);
    const [types] = rows as [{ readonly parameters: readonly string[]; readonly columns: readonly string[] }];
    return {
      parameterTypes: types.parameters,
      columns: fields.map(({ name }, at) => ({ name, type: types.columns[at] ?? 'text' })),
    };
  } catch (error) {
    condition = conditionAfter(error as Error);
    throw translateDatabaseError(error);
  } finally {
    pool.giveBack(connection, condition);
  }
}

const described = (connection: Connection, text: string, deadlineMs: number | undefined): Promise<Described> =>
  new Promise((resolve, reject) => {
    const callback = withDeadline(deadlineMs, (error) => (error ? reject(error) : resolve(query)));
    const query = new DescribeQuery(text, callback as (error?: Error | null) => void);
    connection.query(query);
  });

/** The driver's protocol object. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean };
  once(event: 'parameterDescription', listener: (message: { readonly dataTypeIDs: readonly number[] }) => void): void;
  removeAllListeners(event: 'parameterDescription'): void;
}

/** The driver's query. Its type lacks the handlers of messages. */
const DriverQuery = pg.Query as unknown as new (text: string) => { callback?: unknown };

/** Parses a statement without a name and requests its description; nothing is bound or executed. */
class DescribeQuery extends DriverQuery implements Submittable, Described {
  parameterTypes: readonly number[] = [];
  fields: readonly Field[] = [];
  private readonly statement: string;
  private readonly onCompleted: (error?: Error | null) => void;

  constructor(statement: string, onCompleted: (error?: Error | null) => void) {
    super('');
    this.statement = statement;
    this.onCompleted = onCompleted;
    // The driver creates a promise for a query without a callback.
    this.callback = onCompleted;
  }

  /** Called by the driver when the connection is free. */
  submit(connection: unknown): null {
    const wire = connection as Wire;
    wire.once('parameterDescription', ({ dataTypeIDs }) => {
      this.parameterTypes = dataTypeIDs;
    });
    const messages = [serialize.parse({ text: this.statement }), serialize.describe({ type: 'S' }), serialize.sync()];
    if (wire.stream.writable) wire.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.fields = fields;
  }

  handleError(error: Error, connection: unknown): void {
    (connection as Wire).removeAllListeners('parameterDescription');
    this.onCompleted(error);
  }

  handleReadyForQuery(): void {
    this.onCompleted();
  }
}
