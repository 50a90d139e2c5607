import type { WriteDependencies } from '../../write/run/write-dependencies.ts';

/** Drops the cached results of all entities: it is unknown which entities the TypeORM statements have changed. */
export function forgetCachedResults({ onCommitted, environment }: WriteDependencies): void {
  onCommitted?.([...environment.model.entities.keys()]);
}
