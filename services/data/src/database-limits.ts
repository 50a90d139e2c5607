import { createResultMemory, type DatabaseOptions, type ResultMemory } from '@lintel/persistence';
import type { DataConfig } from './config.ts';

/** Limits of statements. All databases of the process that use the same object share the memory for results. */
export interface DatabaseLimits extends Pick<DatabaseOptions, 'maxRowBytes' | 'maxResultBytes' | 'memory'> {
  readonly resultMemory: ResultMemory;
}

/** Creates the limits of the configuration; once per process. */
export const createDatabaseLimits = ({
  database: { maxResultMemoryBytes, memory },
  shares,
}: Pick<DataConfig, 'database' | 'shares'>): DatabaseLimits => ({
  // One result leaves half of the memory to others.
  maxRowBytes: maxResultMemoryBytes / 2,
  maxResultBytes: maxResultMemoryBytes / 2,
  memory,
  resultMemory: createResultMemory({ maxBytes: maxResultMemoryBytes, maxWaitMs: shares.maxWaitMs }),
});
