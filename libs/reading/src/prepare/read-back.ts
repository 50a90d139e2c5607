import type { Entity } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { type ExactJson, type ExactObject, parseRead, type SqlValue, UNLIMITED } from '@lintel/query';
import type { CallerAccess, ReadDependencies } from '../read-dependencies.ts';
import { type Instance, type PreparedRead, prepareRead, readOne } from './prepared-read.ts';

/** The plan that a client sent, or that of the identity (contract/writing.md#response). */
export function planOf(entity: Entity, fetchPlan: ExactJson | undefined): ExactJson {
  if (fetchPlan !== undefined) return fetchPlan;
  const keyName = entity.key?.attribute ?? 'id';
  return { entity: entity.name, properties: keyName === 'id' ? [] : [keyName] };
}

/** How an instance is read back. */
export interface ReadBackOptions {
  readonly dynamicAttributes?: boolean;
  /** Soft-deleted instances are found, too. */
  readonly deleted?: 'with' | undefined;
}

/** The members of a request with these options. */
export const membersOf = ({ dynamicAttributes = false, deleted }: ReadBackOptions): ExactObject => ({
  dynamicAttributes,
  ...(deleted === undefined ? {} : { deleted }),
});

/** The statements that read an instance back; undefined if the caller may read no instance of the entity. */
export function prepareReadBack(
  entity: Entity,
  fetchPlan: ExactJson | undefined,
  access: CallerAccess,
  deps: Pick<ReadDependencies, 'currentModel' | 'displayIn' | 'statements'>,
  options: ReadBackOptions = {},
): PreparedRead | undefined {
  if (!access.read.entity(entity.name).canRead) return undefined;
  const members = { fetchPlan: planOf(entity, fetchPlan), ...membersOf(options) };
  // The plan was accepted before the write began.
  const parsed = parseRead(
    { operation: 'instance', entityName: entity.name, members },
    { inlineFetchPlansEnabled: true },
    UNLIMITED,
  );
  return prepareRead(parsed, deps.currentModel(), access, deps);
}

/**
 * Reads an instance after a write, through the same stages and with the same access as any other read.
 *
 * @param key parts of the key, in the order of the key columns
 * @param fetchPlan as the client sent it; undefined for the identity alone (contract/writing.md#response)
 * @param runner the transaction of the write, or the database
 * @returns undefined if the caller may not see the instance
 */
export async function readBack(
  entity: Entity,
  key: readonly SqlValue[],
  fetchPlan: ExactJson | undefined,
  access: CallerAccess,
  deps: Pick<ReadDependencies, 'currentModel' | 'displayIn' | 'statements'>,
  runner: StatementRunner,
  options: ReadBackOptions = {},
): Promise<Instance | undefined> {
  const read = prepareReadBack(entity, fetchPlan, access, deps, options);
  return read === undefined ? undefined : readOne(read, key, runner, undefined);
}
