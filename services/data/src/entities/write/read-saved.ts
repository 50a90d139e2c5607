import type { Principal } from '@lintel/contracts';
import { type Entity, entityOf } from '@lintel/metadata';
import { formatEntityId, parseRead, resolveRead } from '@lintel/query';
import { readBack } from '../read-back.ts';
import type { Instance } from '../read-line.ts';
import type { Saved } from './execute/save-instances.ts';
import type { WriteScope } from './execute/write-scope.ts';
import { idOf } from './values/json-form.ts';
import { keyInSql } from './values/key-in-sql.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** A saved instance as it is answered. */
export interface SavedInstance extends Instance {
  /** Its id as it stands in a path. */
  readonly pathId: string;
}

/**
 * Checks the plan of the answer before anything is written (contract §3.2).
 *
 * @returns the plan to read back with; undefined for the identity alone
 * @throws PlatformError (400) when the plan is unknown or wrong
 */
export function resolveResponsePlan(
  plan: string | undefined,
  entity: Entity,
  deps: WriteDependencies,
): string | undefined {
  if (plan === undefined || plan === '') return deps.responseFetchPlanEnabled ? undefined : '_base';
  const request = { operation: 'instance', entityName: entity.name, members: { fetchPlan: plan } } as const;
  resolveRead(parseRead(request, deps.read.limits), deps.environment.model);
  return deps.responseFetchPlanEnabled ? plan : '_base';
}

/**
 * Reads the saved instances back through the read line, inside the transaction. Of an instance that the
 * caller may not see only the identity is answered.
 */
export function readSaved(
  saved: readonly Saved[],
  plan: string | undefined,
  principal: Principal,
  scope: WriteScope,
  deps: WriteDependencies,
): Promise<readonly SavedInstance[]> {
  const access = deps.read.loadAccess(principal);
  return Promise.all(
    saved.map(async ({ entity, key }) => {
      const sqlKey = keyInSql(scope.model, entity, key);
      const found = await readBack(
        entityOf(scope.model, entity.name),
        sqlKey,
        plan,
        access,
        deps.read,
        scope.transaction,
      );
      const id = idOf(scope.model, entity, key);
      const hidden = { json: JSON.stringify({ _entityName: entity.name, id }), version: undefined };
      return { ...withoutName(found ?? hidden, deps), pathId: formatEntityId(scope.model, entity, id) };
    }),
  );
}

/** Without response plans an answer has no instance name (contract §3.2). */
function withoutName(instance: Instance, deps: WriteDependencies): Instance {
  if (deps.responseFetchPlanEnabled) return instance;
  return { ...instance, json: instance.json.replace(/,"_instanceName":"(?:[^"\\]|\\.)*"/, '') };
}

/** The caller's `_local` representation of a stored instance: what `If-Match` is about without a version. */
export const readLocal = (
  { entity, key }: Saved,
  principal: Principal,
  scope: WriteScope,
  deps: WriteDependencies,
): Promise<Instance | undefined> =>
  readBack(
    entity,
    keyInSql(scope.model, entity, key),
    '_local',
    deps.read.loadAccess(principal),
    deps.read,
    scope.transaction,
  );
