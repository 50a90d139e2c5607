import type { Principal } from '@lintel/contracts';
import type { Entity } from '@lintel/metadata';
import {
  type ExactJson,
  type ExactObject,
  isExactObject,
  keyInSql,
  parseRead,
  readExactJson,
  resolveRead,
  type TimeReading,
  visibilityOf,
} from '@lintel/query';
import { readBack, responseAccess, unrecorded } from '@lintel/reading';
import { mapInSlices, pauseAt } from '../../slices/map-in-slices.ts';
import { notFound } from '../authorize/load-for-change.ts';
import type { PatchHints } from '../parse/parse-instance.ts';
import type { StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { keyText } from '../values/value.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { applyOperation } from './apply-operation.ts';
import { type BoundOperation, bindOperation } from './check-operation.ts';
import type { CopyBudget } from './json-pointer.ts';
import type { Operation } from './parse-json-patch.ts';
import { bodyOf, draftOf, newObject, type ObjectDraft } from './patch-document.ts';
import { fetchPlanOf, isEmptyPlan, type PatchPlan, planOfPatch } from './patch-plan.ts';
import type { TargetContext } from './patch-target.ts';

/** The caller and the stored instance that a patch is applied to. */
export interface PatchedInstance {
  readonly row: StoredRow;
  readonly scope: WriteScope;
  readonly principal: Principal;
  readonly deps: WriteDependencies;
  /** Of the whole request. */
  readonly budget: CopyBudget;
  readonly times: TimeReading;
}

/** Operations whose paths are bound to the instance. */
export interface BoundPatch extends PatchedInstance {
  readonly context: TargetContext;
  readonly operations: readonly BoundOperation[];
}

/** The body of an update that does what the operations of a JSON Patch do, and how it is to be parsed. */
export interface PatchBody {
  readonly body: ExactObject;
  readonly hints: PatchHints;
}

/**
 * Binds the paths of the operations, and checks what does not depend on the state of the instance.
 *
 * @throws PlatformError REQ_INVALID_PATCH or ACCESS_DENIED naming the operation
 */
export async function bindJsonPatch(instance: PatchedInstance, parsed: readonly Operation[]): Promise<BoundPatch> {
  const { row, scope, principal, deps } = instance;
  const { read } = deps.read.loadAccess(principal);
  const visibility = visibilityOf(scope.model, read);
  const context: TargetContext = { model: scope.model, visibility, access: deps.accessOf(principal) };
  const operations = await mapInSlices(parsed, (operation) => bindOperation(context, row.entity, operation));
  return { ...instance, context, operations };
}

/**
 * Applies a JSON Patch (RFC 6902) to an instance, as the caller sees it (contract/writing.md#json-patch): read what the
 * operations need to know → execute them in order → the body of an update. That body then passes the same stages as the
 * body of a PUT.
 *
 * @throws PlatformError DATA_PATCH_TEST_FAILED or DATA_PATCH_CONFLICT naming the operation
 */
export async function bodyOfJsonPatch(patch: BoundPatch): Promise<PatchBody> {
  const { row, scope, context, operations, budget, times } = patch;
  const plan = planOfPatch(scope.model, row.entity, operations);
  const state = { context, root: await readDraft(patch, plan), rootKey: row.key, budget, times };
  for (const [at, operation] of operations.entries()) {
    await pauseAt(at);
    applyOperation(state, operation);
  }
  const hints = { removed: new WeakMap(), labels: new WeakMap() };
  const { identity } = state.root;
  return { body: { ...identity, ...bodyOf(scope.model, state.root, hints) }, hints };
}

/** Reads the instance with the caller's rights; nothing, if no operation depends on what is stored. */
async function readDraft({ row, scope, principal, deps }: PatchedInstance, plan: PatchPlan): Promise<ObjectDraft> {
  if (isEmptyPlan(plan) && deps.read.tokens === undefined) return newObject(row.entity);
  const fetchPlan = fetchPlanOf(plan);
  assertAffordablePlan(row.entity, fetchPlan, principal, deps);
  const access = responseAccess(unrecorded(deps.read.loadAccess(principal)), deps.read);
  const options = { dynamicAttributes: [...plan.values.values()].some(({ kind }) => kind === 'dynamic') };
  const key = keyInSql(scope.model, row.entity, row.key);
  const found = await readBack(row.entity, key, fetchPlan, access, deps.read, scope.transaction, options);
  const json = found === undefined ? undefined : readExactJson(found.json);
  if (!isExactObject(json)) throw notFound(row.entity, keyText(row.key));
  return draftOf(scope.model, plan, json);
}

/** The plan that the paths make has the limits of a plan that the caller sends. */
function assertAffordablePlan(
  entity: Entity,
  fetchPlan: ExactJson,
  principal: Principal,
  deps: WriteDependencies,
): void {
  const request = { operation: 'instance', entityName: entity.name, members: { fetchPlan } } as const;
  const parsed = parseRead(request, { inlineFetchPlansEnabled: true }, deps.read.limitsOf(principal));
  resolveRead(parsed, deps.environment.model);
}
