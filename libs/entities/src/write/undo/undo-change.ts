import { IGNORED_HEADER, ignoredText, type Principal } from '@lintel/contracts';
import {
  assertSeesChildren,
  assertSeesWhole,
  assertUnchanged,
  type HistoryReading,
  historyAccess,
  secretsOf,
  type Undone,
  undoMembers,
  visibleInstances,
} from '@lintel/history';
import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import { unrecorded } from '@lintel/reading';
import { assertAllowed } from '../authorize/assert-allowed.ts';
import { assertRows } from '../authorize/assert-rows.ts';
import { callerRights } from '../authorize/caller-rights.ts';
import { loadForChange } from '../authorize/load-for-change.ts';
import { parseCreates } from '../create-items.ts';
import { withIdempotency } from '../idempotency/with-idempotency.ts';
import type { WriteResponse } from '../respond/write-response.ts';
import { loadRows } from '../rows/rows.ts';
import { deleteRows, toDeletions } from '../save/delete-rows.ts';
import { saveInstances } from '../save/save-instances.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { parseUpdate } from '../update-items.ts';
import { keyText } from '../values/value.ts';
import { beginCall, type WriteCall, type WriteRequest } from '../write-call.ts';
import type { WriteDependencies } from '../write-dependencies.ts';

/** A change that is taken back, and the entities whose history the caller may read. */
export interface UndoRequest extends Pick<WriteRequest, 'url' | 'unknownMembers' | 'isRehearsal' | 'idempotentCall'> {
  readonly change: string;
  readonly entities: readonly Entity[];
  /** Number of rows that the change may have. */
  readonly maxRows: number;
  /** Number of instances that the response lists, with the number of all; all of them without it. */
  readonly listed?: number;
}

/**
 * `POST /history/changes/{change}/undo` (contract/history.md#undo): takes back everything that a transaction has
 * written, as a write of the caller in one transaction. Instances follow each other in the reverse order of the change,
 * so that each intermediate state is one that the change went through.
 *
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND, ACCESS_DENIED where the caller sees not all of it, REQ_COST_EXCEEDED,
 *   DATA_UNDO_CONFLICT, and the errors of the writes
 */
export async function undoChange(
  { change, entities, maxRows, listed, ...request }: UndoRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(
    { ...request, entityName: '', body: '', responsePlan: undefined, ifMatch: undefined, patch: 'operations' },
    principal,
    deps,
    signal,
  );
  return withIdempotency(request, principal, deps, signal, async (scope) => {
    const access = historyAccess(unrecorded(deps.read.loadAccess(principal)));
    const reading = { model: call.model, ...access, deps: deps.read, runner: scope.transaction, signal };
    const undone = await visibleInstances(change, entities, maxRows, reading);
    await lock(scope, undone);
    await assertUnchanged(undone, reading);
    for (const group of inRuns(undone)) await undo(call, scope, group, { ...reading, maxRows });
    for (const { row, entity } of undone)
      for (const name of secretsOf(entity, row, reading)) call.unknown?.noteWithoutEffect(name);
    const names = call.unknown?.names;
    const instances = undone.slice(0, listed).map(({ entity, id, change: { operation } }) => ({
      entity: entity.name,
      id,
      operation: UNDOES[operation],
    }));
    const headers = names === undefined ? {} : { [IGNORED_HEADER]: ignoredText('body', names) };
    const body = JSON.stringify(listed === undefined ? instances : { count: undone.length, instances });
    return { isPlain: true, result: Promise.resolve({ status: 200, headers, body }) };
  });
}

const UNDOES = { created: 'deleted', updated: 'updated', deleted: 'created' } as const;

async function lock(scope: WriteScope, undone: readonly Undone[]): Promise<void> {
  for (const [entity, group] of Map.groupBy(undone, (one) => one.entity)) {
    const selection = { by: 'key', keys: group.map(({ key }) => key) } as const;
    await loadRows(scope.transaction, scope.writeModel, entity, selection, { lock: 'update', liveOnly: false });
  }
}

/** Instances that are written together. */
const TOGETHER = 1_000;

/** Instances that follow each other and are written in the same way. */
function inRuns(undone: readonly Undone[]): readonly (readonly Undone[])[] {
  const runs: Undone[][] = [];
  for (const one of undone) {
    const run = runs.at(-1);
    const [other] = run ?? [];
    const isSame = other?.entity === one.entity && other.change.operation === one.change.operation;
    if (isSame && run !== undefined && run.length < TOGETHER) run.push(one);
    else runs.push([one]);
  }
  return runs;
}

async function undo(
  call: WriteCall,
  scope: WriteScope,
  group: readonly Undone[],
  reading: HistoryReading & Pick<UndoRequest, 'maxRows'>,
): Promise<void> {
  const { model, access, principal, deps } = call;
  const [
    {
      entity,
      change: { operation },
    } = group[0] as Undone,
  ] = group;
  for (const { change } of group) assertSeesChildren(reading, change);
  const rights = { ...callerRights(deps, scope, principal), isStrict: call.request.unknownMembers === 'refuse' };
  const hints = { removed: new WeakMap<object, readonly ExactJson[]>(), labels: new WeakMap<object, string>() };
  const bodies = group.map(({ change, id }) => {
    const members = undoMembers(model, entity, change, hints.removed);
    return operation === 'deleted' ? { ...members, id } : members;
  });
  if (operation === 'deleted') {
    assertAllowed(access, entity, 'create');
    const keys = group.map(({ key }) => key);
    // Only soft-deleted instances still have a row.
    const rows = await loadRows(
      scope.transaction,
      scope.writeModel,
      entity,
      { by: 'key', keys },
      { lock: 'update', liveOnly: false },
    );
    const stored = new Map(rows.map((row) => [keyText(row.key), row]));
    const sent = bodies.map((json, at) => ({
      json,
      path: `entities[${at}]`,
      row: stored.get(keyText((group[at] as Undone).key)),
    }));
    const created = sent.filter(({ row }) => row === undefined);
    if (created.length > 0) assertSeesWhole(reading, entity);
    const items = [...(await parseCreates(call, entity, created, 'other'))];
    for (const { json, path, row } of sent)
      if (row !== undefined) items.push(await parseUpdate(call, row, json, path, hints));
    await saveInstances(scope, rights, 'create', items);
    return;
  }
  assertAllowed(access, entity, operation === 'created' ? 'delete' : 'update');
  const rows = await loadForChange(
    scope,
    entity,
    group.map(({ key, id }) => ({ key, text: JSON.stringify(id) })),
    principal,
    deps,
    operation === 'created' ? 'delete' : 'update',
  );
  if (operation === 'created') {
    await assertRows(rights, 'stored', rows, toDeletions);
    await deleteRows(scope, rows, { ...rights, maxRows: reading.maxRows });
    return;
  }
  const items = [];
  for (const [at, row] of rows.entries())
    items.push(await parseUpdate(call, row, bodies[at] ?? null, `entities[${at}]`, hints));
  await saveInstances(scope, rights, 'update', items);
}
