import { IGNORED_HEADER, ignoredText, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  historyOf,
  isSoftDeleted,
  type Model,
  rootOf,
} from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import { unrecorded } from '@lintel/reading';
import { assertAllowed } from '../write/authorize/assert-allowed.ts';
import { assertRows } from '../write/authorize/assert-rows.ts';
import { callerRights } from '../write/authorize/caller-rights.ts';
import { loadForChange } from '../write/authorize/load-for-change.ts';
import { parseCreates } from '../write/create-items.ts';
import { withIdempotency } from '../write/idempotency/with-idempotency.ts';
import { readKey } from '../write/parse/parse-key.ts';
import type { WriteResponse } from '../write/respond/write-response.ts';
import { loadRows } from '../write/rows/rows.ts';
import { deleteRows, toDeletions } from '../write/save/delete-rows.ts';
import { saveInstances } from '../write/save/save-instances.ts';
import { UNLIMITED_ACCESS } from '../write/scope/unlimited-access.ts';
import type { WriteScope } from '../write/scope/write-scope.ts';
import { parseUpdate } from '../write/update-items.ts';
import { type Key, keyText } from '../write/values/value.ts';
import { beginCall, type WriteCall, type WriteRequest } from '../write/write-call.ts';
import type { WriteDependencies } from '../write/write-dependencies.ts';
import { changedInstances } from './changed-instances.ts';
import { compareStates, type InstanceChange, type State } from './compare-states.ts';
import { keyOfEntry } from './list-all-changes.ts';
import {
  byConcreteEntity,
  type ChangedInstance,
  type ChangeRow,
  isBulk,
  isRestricted,
  momentsOf,
  secretsOf,
} from './list-changes.ts';
import { type HistoryReading, historyAccess, readStates, stateOf, wholeHistory } from './read-states.ts';
import { conflictsOf, isWhole, undoMembers } from './undo-body.ts';

/** Rows of a change that is taken back. */
const MAX_ROWS = 10_000;
/** Instances whose states one statement reads. */
const TOGETHER = 25;
const LATEST = String(2n ** 63n - 1n);

/** A change that is taken back, and the entities whose history the caller may read. */
export interface UndoRequest extends Pick<WriteRequest, 'url' | 'unknownMembers' | 'isRehearsal' | 'idempotentCall'> {
  readonly change: string;
  readonly entities: readonly Entity[];
}

interface ChangedRow extends ChangedInstance, Pick<ChangeRow, 'secrets' | 'isBulk'> {
  readonly recordedKey: string;
  /** Entries of the instance, and of the whole change. */
  readonly entries: number;
  readonly allEntries: number;
}

/** An instance that the change has written, as the caller sees it. */
interface Undone {
  readonly row: ChangedRow;
  readonly change: InstanceChange;
  readonly state: State;
  readonly after: State | undefined;
  readonly entity: Entity;
  readonly key: Key;
  readonly text: string;
}

/**
 * `POST /history/changes/{change}/undo` (contract/history.md#undo): takes back everything that a transaction has
 * written, as a write of the caller in one transaction. Instances follow each other in the reverse order of the change,
 * so that each intermediate state was one of its own.
 *
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND, ACCESS_DENIED where the caller sees not all of it, REQ_COST_EXCEEDED,
 *   DATA_UNDO_CONFLICT, and the errors of the writes
 */
export async function undoChange(
  { change, entities, ...request }: UndoRequest,
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
    const undone = await visibleInstances(change, entities, reading);
    const present = await lockPresent(scope, undone, reading);
    assertUnchanged(undone, present, reading);
    for (const group of inRuns(undone)) await undo(call, scope, group, reading);
    for (const { row, entity } of undone)
      for (const name of secretsOf(entity, row, reading)) call.unknown?.noteWithoutEffect(name);
    for (const { entity, change: own } of undone)
      for (const name of lostValues(call.model, entity, own)) call.unknown?.noteWithoutEffect(name);
    const names = call.unknown?.names;
    const body = undone.map(({ entity, state, change: { operation } }) => ({
      entity: entity.name,
      id: state['id'] ?? null,
      operation: UNDOES[operation],
    }));
    const headers = names === undefined ? {} : { [IGNORED_HEADER]: ignoredText('body', names) };
    return { isPlain: true, result: Promise.resolve({ status: 200, headers, body: JSON.stringify(body) }) };
  });
}

/** A change of hidden attributes alone: they stay as they are. */
const UNCHANGED: InstanceChange = { operation: 'updated', attributes: [] };

const UNDOES = { created: 'deleted', updated: 'updated', deleted: 'created' } as const;

/** The instances of the change, the last written one first; a child is a part of its owner. */
async function visibleInstances(
  change: string,
  entities: readonly Entity[],
  reading: HistoryReading,
): Promise<readonly Undone[]> {
  const rows = await rowsOf(change, reading);
  const seen = await changesOf(rows, reading);
  const full = isRestricted(reading)
    ? await changesOf(rows, { ...reading, access: UNLIMITED_ACCESS, unmasked: undefined })
    : seen;
  const permitted = new Set(entities.map(({ name }) => name));
  const isShown = (row: ChangedRow): boolean => {
    const [own, whole] = [seen.get(row), full.get(row)];
    if (!permitted.has(row.entity)) return false;
    if (whole === undefined || own === undefined) return whole === undefined;
    return whole.change === undefined || isWhole(own.change ?? UNCHANGED, whole.change);
  };
  const changed = rows.filter((row) => permitted.has(row.entity) && seen.get(row)?.change !== undefined);
  if (changed.length === 0) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
  if (!rows.every(isShown)) throw notWhole();
  // Tables that no longer have a history, and children of unknown owners.
  if (rows.reduce((sum, { entries }) => sum + entries, 0) < (rows[0]?.allEntries ?? 0))
    throw new PlatformError('DATA_UNDO_CONFLICT', 'The change has written rows that belong to no known instance');
  const children = new Set(changed.flatMap((row) => childrenOf(reading, seen.get(row)?.change)));
  return changed.flatMap((row) => {
    const { change: own, state, after } = seen.get(row) as Seen;
    const name = state['_entityName'];
    const entity = entityOf(reading.model, typeof name === 'string' ? name : row.entity);
    const key = readKey(reading.model, entity, state['id'] ?? null);
    if (own === undefined || key === undefined || children.has(nameOf(reading, entity, state['id']))) return [];
    return [{ row, change: own, state, after, entity, key, text: JSON.stringify(state['id']) }];
  });
}

const notWhole = (): PlatformError =>
  new PlatformError('ACCESS_DENIED', 'The change has parts that the caller may not take back');

const nameOf = ({ model }: HistoryReading, entity: Entity, id: ExactJson | undefined): string =>
  `${rootOf(model, entity).name} ${JSON.stringify(id)}`;

const childrenOf = (reading: HistoryReading, change: InstanceChange | undefined): readonly string[] =>
  (change?.children ?? []).flatMap((child) => [
    nameOf(reading, entityOf(reading.model, child.entity), child.id),
    ...childrenOf(reading, child),
  ]);

async function rowsOf(change: string, { model, runner, signal }: HistoryReading): Promise<readonly ChangedRow[]> {
  const recorded = [...model.entities.values()].filter(({ history }) => history !== undefined);
  const nodes = recorded.map((entity) => historyOf(model, entity));
  const entries = `SELECT e.* FROM history.entry e WHERE e.change_id = $1::uuid LIMIT ${MAX_ROWS + 1}`;
  const text = `WITH e AS MATERIALIZED (${entries}), ${changedInstances(model, recorded, 'e')}
SELECT i.change_id AS id, i.entity, i.key AS "recordedKey", i.first::text, i.last::text, i.secrets, i.entries::int,
  (SELECT count(*) FROM e)::int AS "allEntries", ${isBulk(model, nodes, 'i')}
FROM i JOIN history.change c ON c.id = i.change_id ORDER BY i.last DESC`;
  const rows = await runner.query<ChangedRow>({ text, values: [change] }, signal);
  if ((rows[0]?.allEntries ?? 0) > MAX_ROWS)
    throw new PlatformError('REQ_COST_EXCEEDED', `The change has more than ${MAX_ROWS} rows`);
  return rows.map((row) => ({ ...row, key: keyOfEntry(row.recordedKey) }));
}

/** A change, the state after it, and that state or else the former one. */
interface Seen {
  readonly change: InstanceChange | undefined;
  readonly after: State | undefined;
  readonly state: State;
}

/** Compares each instance before and after the change, as far as the reader sees a state of it. */
async function changesOf(rows: readonly ChangedRow[], reading: HistoryReading): Promise<ReadonlyMap<ChangedRow, Seen>> {
  const seen = new Map<ChangedRow, Seen>();
  await eachGroup(
    await byConcreteEntity(rows, reading),
    async (entity, group) => {
      const moments = group.flatMap((row) => momentsOf(row).map((moment) => ({ ...moment, ...written(row, reading) })));
      const states = await statesOf(entity, moments, reading);
      for (const [at, row] of group.entries()) {
        const [before, after] = [states(2 * at), states(2 * at + 1)];
        const state = after ?? before;
        if (state !== undefined)
          seen.set(row, { change: compareStates(reading.model, entity, before, after), after, state });
      }
    },
    reading,
  );
  return seen;
}

/** Only the children that a small change has written are read: there may be any number of others. */
const written = ({ id, isBulk: isWhole }: ChangedRow, reading: HistoryReading): { readonly change?: string } =>
  isWhole || isRestricted(reading) ? {} : { change: id };

async function eachGroup(
  groups: ReadonlyMap<string, readonly ChangedRow[]>,
  work: (entity: Entity, group: readonly ChangedRow[]) => Promise<void>,
  { model }: HistoryReading,
): Promise<void> {
  for (const [name, group] of groups)
    for (let at = 0; at < group.length; at += TOGETHER)
      await work(entityOf(model, name), group.slice(at, at + TOGETHER));
}

async function statesOf(
  entity: Entity,
  moments: Parameters<typeof readStates>[1],
  reading: HistoryReading,
): Promise<(at: number) => State | undefined> {
  const plan = { ...wholeHistory(reading.model, entity), returnNulls: true };
  const states = await readStates(entity, moments, plan, reading);
  return (at) => stateOf(states.get(at));
}

/** Dynamic attributes of what is created again: they are not recorded. */
const lostValues = (model: Model, entity: Entity, { operation, children = [] }: InstanceChange): readonly string[] => [
  ...(operation === 'deleted' && !isSoftDeleted(entity) ? dynamicAttributesOf(model, entity).map(dynamicMemberOf) : []),
  ...children.flatMap((child) =>
    lostValues(model, entityOf(model, child.entity), child).map((name) => `${child.attribute}.${name}`),
  ),
];

/** Locks the instances, and reads them as they are now. */
async function lockPresent(
  scope: WriteScope,
  undone: readonly Undone[],
  reading: HistoryReading,
): Promise<ReadonlyMap<ChangedRow, State | undefined>> {
  for (const [entity, group] of Map.groupBy(undone, (one) => one.entity)) {
    const selection = { by: 'key', keys: group.map(({ key }) => key) } as const;
    await loadRows(scope.transaction, scope.writeModel, entity, selection, { lock: 'update', liveOnly: false });
  }
  const present = new Map<ChangedRow, State | undefined>();
  for (const [isUpdate, some] of Map.groupBy(undone, ({ change }) => change.operation === 'updated')) {
    const groups = Map.groupBy(some, ({ entity }) => entity.name);
    await eachGroup(
      new Map([...groups].map(([name, group]) => [name, group.map(({ row }) => row)])),
      async (entity, group) => {
        const moments = group.map((row) => ({ key: row.key, entry: LATEST, ...(isUpdate && written(row, reading)) }));
        const states = await statesOf(entity, moments, reading);
        for (const [at, row] of group.entries()) present.set(row, states(at));
      },
      reading,
    );
  }
  return present;
}

type Present = Awaited<ReturnType<typeof lockPresent>>;

function assertUnchanged(undone: readonly Undone[], present: Present, { model }: HistoryReading): void {
  const conflicts = undone.flatMap(({ row, change, after, entity, text }) => {
    const names = conflictsOf(change, compareStates(model, entity, after, present.get(row)));
    return names.length === 0 ? [] : [`${entity.name} ${text}: ${names.join(', ')}`];
  });
  if (conflicts.length > 0) throw new PlatformError('DATA_UNDO_CONFLICT', `Changed since: ${conflicts.join('; ')}`);
}

/** Instances that follow each other and are written in the same way. */
function inRuns(undone: readonly Undone[]): readonly (readonly Undone[])[] {
  const runs: Undone[][] = [];
  for (const one of undone) {
    const run = runs.at(-1);
    const [other] = run ?? [];
    if (other?.entity === one.entity && other.change.operation === one.change.operation) run?.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** An instance that is created again must be as it was: what the caller does not see would be lost. */
function assertSeesWhole({ access }: HistoryReading, { name, attributes }: Entity): void {
  const { mayView } = access.read.entity(name);
  for (const attribute of attributes.values()) if (attribute.persistent && !mayView(attribute.name)) throw notWhole();
}

/** Asserts the same for children that are created again. */
function assertSeesChildren(reading: HistoryReading, { children = [] }: Pick<InstanceChange, 'children'>): void {
  for (const child of children) {
    const entity = entityOf(reading.model, child.entity);
    if (child.operation === 'deleted' && !isSoftDeleted(entity)) assertSeesWhole(reading, entity);
    assertSeesChildren(reading, child);
  }
}

async function undo(
  call: WriteCall,
  scope: WriteScope,
  group: readonly Undone[],
  reading: HistoryReading,
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
  const bodies = group.map(({ change, state }) => {
    const members = undoMembers(model, entity, change, hints.removed);
    return operation === 'deleted' ? { ...members, id: state['id'] ?? null } : members;
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
    group,
    principal,
    deps,
    operation === 'created' ? 'delete' : 'update',
  );
  if (operation === 'created') {
    await assertRows(rights, 'stored', rows, toDeletions);
    await deleteRows(scope, rows, { ...rights, maxRows: MAX_ROWS });
    return;
  }
  const items = [];
  for (const [at, row] of rows.entries())
    items.push(await parseUpdate(call, row, bodies[at] ?? null, `entities[${at}]`, hints));
  await saveInstances(scope, rights, 'update', items);
}
