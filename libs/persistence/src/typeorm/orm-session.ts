import type { Statement } from '../database.ts';

type Rows = readonly object[];

/** A transaction of TypeORM: one of its own, or a savepoint of the transaction that there is. */
export interface OrmTransaction {
  /** Its isolation level may still be chosen. */
  readonly isOutermost: boolean;
  /** @throws Error once it was rolled back by the end of another one */
  run(statement: Statement): Promise<Rows>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** What a data source may reach: the connection of one call, for as long as the call runs. */
export interface OrmSession {
  /** Goes into the audit attributes of what is written. */
  readonly username: string;
  /** `YYYY-MM-DDTHH:mm:ss.SSS` in UTC. */
  now(): string;
  newId(): string;
  /** Whether only the platform may write instances of the entity. */
  isGuarded(entity: string): boolean;
  /** @throws Error once the call, or the transaction, has ended */
  assertOpen(): void;
  /** Runs a statement outside of any transaction of TypeORM. */
  run(statement: Statement, kind: 'read' | 'write'): Promise<Rows>;
  begin(): Promise<OrmTransaction>;
}
