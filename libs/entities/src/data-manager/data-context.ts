import type { Entity } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import type { CallerAccess, ReadDependencies } from '../read/read-dependencies.ts';
import type { InstanceInput } from '../write/parse/instance-input.ts';
import type { StoredRow } from '../write/rows/rows.ts';
import type { WriteRights, WriteScope } from '../write/scope/write-scope.ts';
import type { Key } from '../write/values/value.ts';

/** What of a write is left to the caller's roles. */
export interface WriteLimits {
  readonly rights: WriteRights;
  /** @throws PlatformError (403) */
  assertAllowed(entity: Entity, action: 'create' | 'update' | 'delete'): void;
  /** Leaves out what may not be changed. */
  allowedPart(input: InstanceInput): InstanceInput;
  /** Loads and locks an instance; undefined where there is none that the caller may see. */
  loadForChange(entity: Entity, key: Key, lock: 'update' | 'delete'): Promise<StoredRow | undefined>;
}

/** Where application code reads and writes, and with whose rights. */
export interface DataContext {
  readonly read: ReadDependencies;
  readonly access: CallerAccess;
  /** The transaction, or the database. */
  readonly runner: StatementRunner;
  readonly signal: AbortSignal | undefined;
  /** Runs a write: in the transaction that there is, or in one of its own. */
  write<T>(work: (scope: WriteScope, limits: WriteLimits) => Promise<T>): Promise<T>;
}
