import type { WriteDependencies } from '../../write/write-dependencies.ts';
import { isGuarded } from './guarded-entities.ts';

/** Drops the cached results of all entities: it is unknown which entities the TypeORM statements have changed. */
export async function forgetCachedResults({ onCommitted, environment }: WriteDependencies): Promise<void> {
  await onCommitted?.([...environment.model.entities.keys()].filter((name) => !isGuarded(name)));
}
