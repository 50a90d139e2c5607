import { IGNORED_HEADER, ignoredText, type Principal } from '@lintel/contracts';
import type { Model } from '@lintel/metadata';
import type { ReadAccess, TimeReading } from '@lintel/query';
import type { Access } from '@lintel/security';
import { callerRights } from './authorize/caller-rights.ts';
import type { IdempotentCall } from './idempotency/idempotent-call.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import type { SaveItem } from './merge/build-graph.ts';
import { type WriteModel, writeModelOf } from './model/write-model.ts';
import { UnknownNames } from './parse/unknown-names.ts';
import { type ResponsePlan, readSaved, type SavedInstance, type SavedRoot } from './read-back/read-saved.ts';
import type { ReturnPreference, WriteResponse } from './respond/write-response.ts';
import { saveInstances } from './save/save-instances.ts';
import type { WriteRights, WriteScope } from './scope/write-scope.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** A create or update as the service received it. */
export interface WriteRequest {
  readonly entityName: string;
  /** Decoded body. */
  readonly body: string;
  /** `responseFetchPlan`, or its alias `responseView`. */
  readonly responsePlan: string | undefined;
  readonly ifMatch: string | undefined;
  /** What the client prefers to get; the identity without it. */
  readonly returns?: ReturnPreference | undefined;
  /** What happens to members that the model does not have, and to what has no effect; they are ignored without it. */
  readonly unknownMembers?: 'ignore' | 'name' | 'refuse';
  /** The body is a merge patch (RFC 7396) or an array of them, or the operations of a JSON Patch (RFC 6902). */
  readonly patch?: 'merge' | 'operations';
  /** The public URL of the request, without its query. */
  readonly url: string;
  /** Everything is rolled back at the end, and the response names what would have changed. */
  readonly isRehearsal?: boolean;
  /** Present if the client sent an idempotency key. */
  readonly idempotentCall: IdempotentCall | undefined;
}

/** A request together with the dependencies of all its stages. */
export interface WriteCall<Request extends WriteRequest = WriteRequest> {
  readonly request: Request;
  readonly principal: Principal;
  readonly access: Access;
  readonly model: Model;
  /** The same version of the model, as writes need it. */
  readonly writeModel: WriteModel;
  readonly deps: WriteDependencies;
  readonly signal: AbortSignal;
  /** Absent if they are ignored. */
  readonly unknown: UnknownNames | undefined;
  readonly times: TimeReading;
  /** Rights of the caller that do not bind this write. */
  readonly released?: Pick<WriteRights, 'visibleKeys' | 'assertToken'>;
}

export const beginCall = <Request extends WriteRequest>(
  request: Request,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): WriteCall<Request> => {
  const unknown = unknownNames(request, principal, deps);
  return {
    request,
    principal,
    access: deps.accessOf(principal),
    model: deps.environment.model,
    writeModel: writeModelOf(deps.environment.model),
    deps,
    signal,
    unknown,
    times: {
      offsets: deps.read.limits.dateTimeOffset,
      note: (part, path) => unknown?.noteWithoutEffect(path, part),
    },
  };
};

function unknownNames(
  { unknownMembers = 'ignore' }: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
): UnknownNames | undefined {
  if (unknownMembers === 'ignore') return undefined;
  let read: ReadAccess | undefined;
  const viewOf: ReadAccess['entity'] = (entity) => {
    read ??= deps.read.loadAccess(principal).read;
    return read.entity(entity);
  };
  return new UnknownNames(deps.environment.model, viewOf, unknownMembers === 'refuse');
}

/** Characters; fewer are parsed in a few milliseconds. */
const LARGE_BODY = 16 * 1024;

/** Whether the body is parsed in steps, and only for callers who may send it. */
export const isLarge = ({ request }: WriteCall): boolean => request.body.length > LARGE_BODY;

/**
 * The last stages of a create or update, in one transaction: load (`itemsOf`) → save → read back → respond.
 *
 * @param itemsOf the instances to save: parsed, authorized and secured, with the stored instance of each update
 */
export const saveAndRespond = (
  call: WriteCall,
  plan: ResponsePlan,
  kind: 'create' | 'update',
  itemsOf: (scope: WriteScope) => Promise<readonly SaveItem[]>,
  toResponse: (saved: readonly SavedInstance[]) => WriteResponse,
): Promise<WriteResponse> =>
  inTransaction(call, plan, async (scope) => {
    const saved = await saveInstances(scope, rightsOf(call, scope), kind, await itemsOf(scope));
    return { saved, toResponse };
  });

/** The limits of the caller for a save. */
export const rightsOf = ({ request, principal, deps, released }: WriteCall, scope: WriteScope): WriteRights => ({
  ...callerRights(deps, scope, principal, released && 'with'),
  isStrict: request.unknownMembers === 'refuse',
  ...released,
});

/**
 * Saves, reads back and responds, in one transaction.
 *
 * @param save returns the instances of the response
 */
export const inTransaction = (
  { request, principal, deps, signal, unknown }: WriteCall,
  plan: ResponsePlan,
  save: (scope: WriteScope) => Promise<{
    readonly saved: readonly SavedRoot[];
    readonly toResponse: (saved: readonly SavedInstance[]) => WriteResponse;
  }>,
): Promise<WriteResponse> =>
  withIdempotency(request, principal, deps, signal, async (scope) => {
    const { saved, toResponse } = await save(scope);
    const { isPlain, result } = readSaved(saved, plan, principal, scope, deps);
    return { isPlain, result: result.then((instances) => withIgnored(toResponse(instances), plan, unknown)) };
  });

/** Names the members of the plan and the body that had no effect. */
function withIgnored(response: WriteResponse, plan: ResponsePlan, unknown: UnknownNames | undefined): WriteResponse {
  const names = unknown?.names;
  const inBody = names === undefined ? undefined : ignoredText('body', names);
  if (plan.ignored === undefined && inBody === undefined) return response;
  const ignored = [plan.ignored, inBody].filter((text) => text !== undefined).join(', ');
  return { ...response, headers: { ...response.headers, [IGNORED_HEADER]: ignored } };
}
