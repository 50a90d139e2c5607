import { hash } from 'node:crypto';
import type { Statement } from '../database.ts';
import type { OrmSession, OrmTransaction } from './orm-session.ts';
import { statementKind } from './statement-kind.ts';

/** The part of a result of `pg` that TypeORM reads. */
interface ClientResult {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: readonly object[];
}

const done = (command: string): ClientResult => ({ command, rowCount: 0, rows: [] });

/**
 * Has the interface of a client of `pg` for TypeORM, and runs its statements in the session. Each query runner has its
 * own client, with at most one transaction.
 */
export class OrmClient {
  readonly #session: OrmSession;
  #transaction: OrmTransaction | undefined;

  constructor(session: OrmSession) {
    this.#session = session;
  }

  async query(text: unknown, values: readonly unknown[] = []): Promise<ClientResult> {
    this.#session.assertOpen();
    if (typeof text !== 'string')
      throw new Error('Streams of TypeORM are not available on a connection of the platform');
    const kind = statementKind(text);
    switch (kind) {
      case 'begin':
        this.#transaction = await this.#session.begin();
        return done('START');
      case 'commit':
        await this.#end().commit();
        return done('COMMIT');
      case 'rollback':
        await this.#end().rollback();
        return done('ROLLBACK');
      case 'isolation':
        if (this.#transaction?.isOutermost !== true)
          throw new Error('The isolation level of a transaction that has begun cannot be changed');
        return this.#run(text, values, 'write');
      case 'refused':
        throw new Error(`TypeORM may not run this statement on a connection of the platform: ${text.slice(0, 40)}`);
      case 'read':
      case 'write':
        return this.#run(text, values, kind);
      default:
        return kind satisfies never;
    }
  }

  async #run(text: string, values: readonly unknown[], kind: 'read' | 'write'): Promise<ClientResult> {
    let command = '';
    const statement: Statement = {
      text,
      values: values.map(toParameter),
      costName: `typeorm_${hash('sha256', text, 'base64url').slice(0, 20)}`,
      onCommand: (word) => {
        command = word;
      },
    };
    const rows = await (this.#transaction?.run(statement) ?? this.#session.run(statement, kind));
    const [name = '', ...numbers] = command.split(' ');
    return { command: name, rowCount: Number(numbers.at(-1) ?? rows.length), rows };
  }

  #end(): OrmTransaction {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('TypeORM ends a transaction that it has not begun');
    this.#transaction = undefined;
    return transaction;
  }

  /** Rolls back a transaction that has not ended. Called when the query runner is released. */
  close(): void {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    // If this fails, the connection is lost, and with it the transaction.
    transaction?.rollback().catch(() => {});
  }

  /** TypeORM listens for a lost connection; here the statements report it. */
  on(): void {}

  removeListener(): void {}
}

/**
 * The driver would send a `Date` in the time zone of the process; a column without a time zone would ignore the zone.
 */
const toParameter = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(toParameter) : value;
};
