import { createResultMemory, type DatabaseOptions, type ResultMemory } from '@lintel/persistence';
import type { DataConfig } from './config.ts';

/** Limits of statements. All databases of the process that use the same object share the memory for results. */
export interface DatabaseLimits extends Pick<DatabaseOptions, 'maxRowBytes' | 'maxResultBytes' | 'memory'> {
  readonly resultMemory: ResultMemory;
}

/** Creates the limits of the configuration; once per process. */
export const createDatabaseLimits = ({
  database: { maxRowBytes, maxResultBytes, maxResultMemoryBytes, memory },
  shares,
}: Pick<DataConfig, 'database' | 'shares'>): DatabaseLimits => ({
  maxRowBytes,
  maxResultBytes,
  memory,
  resultMemory: createResultMemory({ maxBytes: maxResultMemoryBytes, maxWaitMs: shares.maxWaitMs }),
});
