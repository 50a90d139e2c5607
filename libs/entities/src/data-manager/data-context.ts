import type { Entity } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import type { CallerAccess, ReadDependencies } from '@lintel/reading';
import type { InstanceInput } from '../write/parse/instance-input.ts';
import type { StoredRow } from '../write/rows/rows.ts';
import type { WriteRights, WriteScope } from '../write/scope/write-scope.ts';
import type { Key } from '../write/values/value.ts';

/** The limits that the caller's roles set on a write. */
export interface WriteLimits {
  readonly rights: WriteRights;
  /** @throws PlatformError (403) */
  assertAllowed(entity: Entity, action: 'create' | 'update' | 'delete'): void;
  /** Removes the attributes that may not be changed. */
  allowedPart(input: InstanceInput): InstanceInput;
  /** Loads and locks an instance; undefined if the caller may see no such instance. */
  loadForChange(entity: Entity, key: Key, lock: 'update' | 'delete'): Promise<StoredRow | undefined>;
  /** The limits of writes to soft-deleted instances, which it loads. @throws PlatformError (403) */
  inBin(entity: Entity, action: 'restore' | 'purge'): WriteLimits;
}

/** The connection or transaction that application code uses, and the rights that apply. */
export interface DataContext {
  readonly read: ReadDependencies;
  readonly access: CallerAccess;
  /** The transaction, or the database. */
  readonly runner: StatementRunner;
  readonly signal: AbortSignal | undefined;
  /** Asserts that soft-deleted instances may be read. @throws PlatformError (403) */
  assertMayReadBin(entity: Entity): void;
  /** Runs a write: in the transaction that there is, or in one of its own. */
  write<T>(work: (scope: WriteScope, limits: WriteLimits) => Promise<T>): Promise<T>;
}
