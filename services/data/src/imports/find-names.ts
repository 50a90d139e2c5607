import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import type { ExactJson } from '@lintel/query';
import { isExactObject, readExactJson } from '@lintel/query';
import { NO_PREFERENCES, type ReadDependencies, readEntities, unrecorded } from '@lintel/reading';
import type { ImportColumn } from './map-columns.ts';

/** The ids of the instances that have a name; more than two are left out. */
export type NamedIds = ReadonlyMap<string, readonly ExactJson[]>;

/** Finds instances by their names. */
export type FindNames = (named: NonNullable<ImportColumn['named']>, names: readonly string[]) => Promise<NamedIds>;

/** Instances of one search for names. */
const LIMIT = 500;

/** Finds the instances that a caller sees. */
export const createFindNames = (principal: Principal, read: ReadDependencies, signal: AbortSignal): FindNames => {
  const deps = { ...read, loadAccess: (each: Principal) => unrecorded(read.loadAccess(each)) };
  const find: FindNames = async (named, names) => {
    const limit = names.length === 1 ? 2 : Math.min(LIMIT, read.limits.maxFetchSize(named.entityName));
    const filter = { conditions: [{ property: named.attribute, operator: 'in', value: names }] };
    const members = { filter, fetchPlan: '_instance_name', limit: String(limit) };
    const received = { operation: 'list', entityName: named.entityName, members, isFromBody: true } as const;
    const result = await readEntities({ ...received, preferences: NO_PREFERENCES }, principal, deps, signal).catch(
      // A text that the attribute cannot have, such as letters of a number, is the name of no instance.
      (error: unknown) => {
        if (isPlatformError(error) && error.code === 'REQ_INVALID_FILTER') return undefined;
        throw error;
      },
    );
    if (result === undefined && names.length === 1) return new Map();
    if (result !== undefined && result.kind !== 'list') throw new Error('A short page is not streamed');
    const half = Math.ceil(names.length / 2);
    // Some names are frequent: others might be missing.
    if (result === undefined || (result.rows.length === limit && names.length > 1))
      return new Map([...(await find(named, names.slice(0, half))), ...(await find(named, names.slice(half)))]);
    const found = new Map<string, ExactJson[]>();
    for (const json of result.rows) {
      const row = readExactJson(json);
      const { _instanceName: name = '', id = null } = isExactObject(row) ? row : {};
      found.set(String(name), [...(found.get(String(name)) ?? []), id]);
    }
    return found;
  };
  return find;
};
