import type { Statement } from '../database.ts';

type Rows = readonly object[];

/** A transaction of TypeORM: a separate one, or a savepoint of the current transaction. */
export interface OrmTransaction {
  /** Its isolation level can be set. */
  readonly isOutermost: boolean;
  /** @throws Error after it was rolled back by the end of another one */
  run(statement: Statement): Promise<Rows>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** The connection of one call for a data source, as long as the call runs. */
export interface OrmSession {
  /** Value of the audit attributes of written instances. */
  readonly username: string;
  /** `YYYY-MM-DDTHH:mm:ss.SSS` in UTC. */
  now(): string;
  newId(): string;
  /** Whether only the platform may write instances of the entity. */
  isGuarded(entity: string): boolean;
  /** @throws Error after the end of the call, or of the transaction */
  assertOpen(): void;
  /** Runs a statement outside of any transaction of TypeORM. */
  run(statement: Statement, kind: 'read' | 'write'): Promise<Rows>;
  begin(): Promise<OrmTransaction>;
}
