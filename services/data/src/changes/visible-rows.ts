import { keyInSql, parseEntityId } from '@lintel/query';
import { prepareReadBack, type ReadDependencies, readEach, unrecorded } from '@lintel/reading';
import type { VisibleRows } from './visible-changes.ts';

/**
 * Reads the identities of the visible instances by the read pipeline, with all rules of the caller, in one
 * statement. It reads from the primary, since a replica may not have the published changes yet.
 */
export const createVisibleRows =
  (deps: Pick<ReadDependencies, 'currentModel' | 'displayIn' | 'statements' | 'database'>): VisibleRows =>
  async (entity, ids, access, signal) => {
    const line = prepareReadBack(entity, undefined, unrecorded(access), deps);
    if (line === undefined || ids.length === 0) return new Set();
    const keys = ids.map((id) => keyInSql(line.model, entity, parseEntityId(line.model, entity, id)));
    const found = await readEach(line, keys, deps.database, signal);
    return new Set(ids.filter((_, at) => found.has(at)));
  };
