import { createSavepoints, type OrmSession, type Savepoints } from '@lintel/persistence';
import type { WriteScope } from '../../write/scope/write-scope.ts';
import { isGuarded } from './guarded-entities.ts';

const HAS_ENDED =
  'The data source is of a transaction that has ended: dataSource() is valid inside the transaction only';
const NOT_ENDED = 'A transaction of TypeORM was begun and neither committed nor rolled back';

/**
 * The session of data sources inside one transaction: it uses the transaction's connection, with savepoints as
 * transactions.
 */
export class TransactionSession implements OrmSession {
  readonly username: string;
  readonly #scope: WriteScope;
  readonly #savepoints: Savepoints;
  #hasEnded = false;
  #hasWritten = false;

  constructor(scope: WriteScope) {
    this.username = scope.username;
    this.#scope = scope;
    this.#savepoints = createSavepoints(scope.transaction);
  }

  now(): string {
    return this.#scope.now;
  }

  newId(): string {
    return this.#scope.ids.next();
  }

  readonly isGuarded = isGuarded;

  assertOpen(): void {
    if (this.#hasEnded) throw new Error(HAS_ENDED);
  }

  run(...[statement, kind]: Parameters<OrmSession['run']>): ReturnType<OrmSession['run']> {
    if (kind === 'write') this.#hasWritten = true;
    return this.#scope.transaction.query(statement);
  }

  begin(): ReturnType<OrmSession['begin']> {
    // The statements inside are not inspected: a savepoint counts as a write.
    this.#hasWritten = true;
    return this.#savepoints.begin();
  }

  /** Whether something may have been written. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Ends the data sources, before the transaction is committed. */
  end(): void {
    this.#hasEnded = true;
  }

  /**
   * @throws Error if a TypeORM transaction is still open: its changes would be committed
   */
  assertComplete(): void {
    if (this.#savepoints.open > 0) throw new Error(NOT_ENDED);
  }
}
