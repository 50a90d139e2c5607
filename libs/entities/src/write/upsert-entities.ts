import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { resolveEntity } from '@lintel/query';
import { assertAllowed } from './authorize/assert-allowed.ts';
import type { CreateBody } from './create-items.ts';
import { versionOf } from './graph/assert-version.ts';
import { ID_KEY, type MatchKey } from './model/match-keys.ts';
import { parseCreateBody } from './parse/parse-body.ts';
import { resolveResponsePlan, type SavedRoot } from './read-back/read-saved.ts';
import { type UpsertStatus, upsertedResponse, type WriteResponse } from './respond/write-response.ts';
import { saveInstances } from './save/save-instances.ts';
import type { WriteScope } from './scope/write-scope.ts';
import { keyNamed, keyNames } from './upsert/named-key.ts';
import { loadUpserts } from './upsert/upsert-items.ts';
import { beginCall, inTransaction, rightsOf, type WriteCall, type WriteRequest } from './write-call.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** Treatment of an instance that exists already. */
export type Duplicates = 'merge' | 'ignore';

/** A request that creates the instances that do not exist, and updates the others. */
export interface UpsertRequest extends WriteRequest {
  readonly upsert: {
    /** The parameter `key`; by the id without it. */
    readonly key: string | undefined;
    readonly duplicates: Duplicates;
  };
  readonly ifNoneMatch: string | undefined;
}

/**
 * `PUT /entities/{entity}?key=…`, and `POST /entities/{entity}` with the preference `resolution`
 * (contract/writing.md#upsert).
 */
export async function upsertEntities(
  request: UpsertRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = authorizeUpsert(call);
  const match = matchKeyOf(call, entity);
  const plan = resolveResponsePlan(request, entity, principal, deps);
  const body = await receiveUpsert(call, entity);
  const run = (onFound: (count: number) => void) =>
    inTransaction(call, plan, async (scope) => {
      const { saved: items, ignored, found } = await loadUpserts(call, scope, body, match);
      onFound(found);
      const rights = { ...rightsOf(call, scope), findsChildren: true };
      const saved = await saveInstances(scope, rights, 'update', items);
      const roots: (SavedRoot & { status: UpsertStatus })[] = new Array(body.list.length);
      for (const [index, root] of saved.entries())
        roots[items[index]?.at ?? 0] = { ...root, status: statusOf(scope, root) };
      for (const { at, row } of ignored)
        roots[at] = { ...row, unstored: new Map(), storedVersion: versionOf(row), status: 'unchanged' };
      const statuses = roots.map(({ status }) => status);
      return {
        saved: roots,
        toResponse: (instances) => upsertedResponse(body.isBatch, instances, statuses, request.url, request.returns),
      };
    });
  return repeatAfterRaces(run);
}

/** Each element needs the right of what happens to it; without both rights nothing is found. */
function authorizeUpsert({ model, access, request }: WriteCall): Entity {
  const entity = resolveEntity(model, request.entityName);
  assertAllowed(access, entity, access.allows(entity.name, 'update') ? 'update' : 'create');
  return entity;
}

/** @throws PlatformError REQ_INVALID_PARAMETER naming the keys that the caller may name */
export function matchKeyOf(call: WriteCall<UpsertRequest>, entity: Entity): MatchKey {
  const names = (call.request.upsert.key ?? ID_KEY).split(',').map((name) => name.trim());
  const key = keyNamed(call, entity, names);
  if (key !== undefined) return key;
  throw new PlatformError(
    'REQ_INVALID_PARAMETER',
    `Parameter 'key' must name the attributes of a unique constraint of ${entity.name}: ${keyNames(call, entity)}`,
  );
}

export async function receiveUpsert({ request }: WriteCall<UpsertRequest>, entity: Entity): Promise<CreateBody> {
  const body = await parseCreateBody(request.body);
  const isBatch = Array.isArray(body);
  if (isBatch && (request.ifMatch ?? request.ifNoneMatch) !== undefined)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'If-Match and If-None-Match are about one instance, not about an array',
    );
  return { entity, isBatch, list: (isBatch ? body : [body]) as CreateBody['list'] };
}

const statusOf = ({ changes }: WriteScope, { entity, key }: SavedRoot): UpsertStatus => {
  const change = changes.find(entity, key)?.change;
  return change === 'created' || change === 'updated' ? change : 'unchanged';
};

const TAKEN: readonly string[] = ['DATA_UNIQUE_VIOLATION', 'DATA_ALREADY_EXISTS'];

/**
 * A row that a concurrent request has inserted after the search refuses the insertion, and is found by the next run. If a
 * run finds no other number of rows than the refused one, the refusal is final.
 */
async function repeatAfterRaces(
  run: (onFound: (count: number) => void) => Promise<WriteResponse>,
): Promise<WriteResponse> {
  let refused: { readonly error: unknown; readonly found: number } | undefined;
  for (;;) {
    let found = 0;
    try {
      return await run((count) => {
        found = count;
        if (count === refused?.found) throw refused.error;
      });
    } catch (error) {
      if (error === refused?.error || !isPlatformError(error) || !TAKEN.includes(error.code)) throw error;
      refused = { error, found };
    }
  }
}
