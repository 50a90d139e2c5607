import { createResultMemory, type DatabaseOptions, type ResultMemory } from '@lintel/persistence';
import type { DataConfig } from './config.ts';

/** What statements may use. All databases of the process that get the same object share the memory for results. */
export interface DatabaseLimits extends Pick<DatabaseOptions, 'maxRowBytes' | 'maxResultBytes' | 'memory'> {
  readonly resultMemory: ResultMemory;
}

/** The limits of the configuration, to be created once for a process. */
export const createDatabaseLimits = ({
  database: { maxRowBytes, maxResultBytes, maxResultMemoryBytes, memory },
  shares,
}: Pick<DataConfig, 'database' | 'shares'>): DatabaseLimits => ({
  maxRowBytes,
  maxResultBytes,
  memory,
  resultMemory: createResultMemory({ maxBytes: maxResultMemoryBytes, maxWaitMs: shares.maxWaitMs }),
});
