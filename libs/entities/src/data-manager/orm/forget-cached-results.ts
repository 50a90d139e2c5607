import type { WriteDependencies } from '../../write/run/write-dependencies.ts';

/** Drops the cached results of all entities: nothing says which of them statements of TypeORM have changed. */
export function forgetCachedResults({ onCommitted, environment }: WriteDependencies): void {
  onCommitted?.([...environment.model.entities.keys()]);
}
