import type { Principal } from '@lintel/contracts';
import {
  type Attribute,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  isToMany,
} from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import { type ExactJson, type ExactObject, idOf, isExactObject, readExactJson } from '@lintel/query';
import type { CallerAccess } from '@lintel/reading';
import { mapInSlices, pauseAt } from '../../slices/map-in-slices.ts';
import { eventsOf } from '../changes/publish-changes.ts';
import { type Reading, readMany } from '../read-back/read-many.ts';
import type { WriteResponse } from '../respond/write-response.ts';
import { assertReason } from '../scope/announce-writer.ts';
import type { ChangeRecord } from '../scope/change-log.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { keyText } from '../values/value.ts';
import type { WriteDependencies } from '../write-dependencies.ts';

/** Ends the transaction of a rehearsal, so that it is rolled back. */
export class Rehearsed extends Error {
  readonly response: WriteResponse;

  constructor(response: WriteResponse) {
    super('The transaction was rehearsed');
    this.response = response;
  }
}

const BEGIN: Statement = { text: 'SAVEPOINT rehearsal', values: [] };
/** Constraints that are tested at the commit refuse the rehearsal, too. */
const TEST: Statement = { text: 'SET CONSTRAINTS ALL IMMEDIATE', values: [] };
/** Events of users and role assignments are about the value of this attribute. */
const USERNAME = 'username';
const UNDO: Statement = { text: 'ROLLBACK TO SAVEPOINT rehearsal', values: [] };

/**
 * Executes a write, and takes it back (contract/writing.md#rehearsal): the response has what the write would return,
 * what would have changed, and the events that would follow. The state after the write is read before it is taken back,
 * the former one afterwards, both as any read of the caller does, so that nothing is shown that the caller may not see.
 */
export async function rehearse(
  scope: WriteScope,
  principal: Principal,
  deps: WriteDependencies,
  work: (scope: WriteScope) => Promise<Reading<WriteResponse>>,
): Promise<WriteResponse> {
  await scope.transaction.query(BEGIN);
  const { result } = await work({ ...scope, isRehearsal: true });
  const response = await result;
  assertReason(scope.model, scope.changes.all());
  await scope.transaction.query(TEST);
  const access = deps.read.loadAccess(principal);
  const records = scope.changes.all();
  const after = await statesOf(
    scope,
    records.filter((record) => record.change !== 'deleted'),
    access,
    deps,
  );
  await scope.transaction.query(UNDO);
  const before = await statesOf(
    scope,
    records.filter((record) => record.change !== 'created'),
    access,
    deps,
  );
  const shown = records.filter((record) => before.has(record) || after.has(record));
  const changes = await mapInSlices(shown, (record) =>
    JSON.stringify(changeOf(scope, record, access, before.get(record), after.get(record))),
  );
  const announced = shown.map((record) => {
    const named = [before, after].map((states) => states.get(record)?.[USERNAME]);
    return { ...record, usernames: new Set([...record.usernames].filter((name) => named.includes(name))) };
  });
  const events = (await eventsOf(scope, announced)).map(({ type, subject }) => ({ type, subject }));
  return {
    status: response.status === 204 ? 200 : response.status,
    headers: response.headers,
    // The body is JSON already: values stay as they are.
    body: `{${response.body === '' ? '' : `"result":${response.body},`}"changes":[${changes.join(',')}],"events":${JSON.stringify(events)}}`,
  };
}

/** The instances as the caller sees them; those that are hidden from the caller are missing. */
async function statesOf(
  scope: WriteScope,
  records: readonly ChangeRecord[],
  access: CallerAccess,
  deps: WriteDependencies,
): Promise<ReadonlyMap<ChangeRecord, ExactObject>> {
  const states = new Map<ChangeRecord, ExactObject>();
  for (const [name, group] of Map.groupBy(records, ({ entity }) => entity.name)) {
    const entity = entityOf(scope.model, name);
    const plan = JSON.stringify({ entity: name, properties: [...propertiesOf(scope, entity, group, access)] });
    const keys = group.map(({ key }) => key);
    const found = await readMany(scope, entity, keys, { plan, dynamicAttributes: true }, access, deps).result;
    for (const [at, record] of group.entries()) {
      await pauseAt(at);
      const json = readExactJson(found.get(keyText(record.key))?.json ?? 'null');
      if (isExactObject(json)) states.set(record, json);
    }
  }
  return states;
}

function* propertiesOf(scope: WriteScope, entity: Entity, records: readonly ChangeRecord[], access: CallerAccess) {
  const names = new Set(records.flatMap((record) => shownAttributes(scope, record, access)));
  if (records.some(({ usernames }) => usernames.size > 0)) names.add(USERNAME);
  for (const name of names) {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined || attribute.secret) continue;
    if (attribute.kind === 'reference') yield { name, fetchPlan: '_instance_name' };
    else if (attribute.kind === 'embedded') yield { name, fetchPlan: '_local' };
    else yield name;
  }
}

/** Whether the value is stored in other instances, which the response names as changed themselves. */
const isStoredElsewhere = (attribute: Attribute): boolean =>
  attribute.kind === 'reference' && isToMany(attribute) && attribute.cardinality !== 'MANY_TO_MANY';

function shownAttributes(
  { model }: WriteScope,
  { entity, attributes }: ChangeRecord,
  { read }: CallerAccess,
): readonly string[] {
  const current = entityOf(model, entity.name);
  const dynamic = new Set(dynamicAttributesOf(model, current).map(dynamicMemberOf));
  return [...attributes].filter((name) => {
    const attribute = current.attributes.get(name);
    if (!read.entity(entity.name).mayView(name)) return false;
    return attribute === undefined ? dynamic.has(name) : attribute.persistent && !isStoredElsewhere(attribute);
  });
}

interface ShownChange {
  readonly entity: string;
  readonly id: unknown;
  readonly change: ChangeRecord['change'];
  readonly attributes: readonly {
    readonly attribute: string;
    readonly old?: ExactJson;
    readonly new?: ExactJson;
  }[];
}

function changeOf(
  scope: WriteScope,
  record: ChangeRecord,
  access: CallerAccess,
  before: ExactObject | undefined,
  after: ExactObject | undefined,
): ShownChange {
  const { entity, key, change } = record;
  const isSecret = (name: string): boolean => entityOf(scope.model, entity.name).attributes.get(name)?.secret === true;
  const valueIn = (name: string, state: ExactObject | undefined, as: 'old' | 'new') =>
    state === undefined || isSecret(name) ? {} : { [as]: Object.hasOwn(state, name) ? (state[name] ?? null) : null };
  return {
    entity: entity.name,
    id: idOf(scope.model, entity, key),
    change,
    attributes: shownAttributes(scope, record, access)
      .map((name) => ({ attribute: name, ...valueIn(name, before, 'old'), ...valueIn(name, after, 'new') }))
      // Equal values: only a part that is hidden from the caller has changed.
      .filter(
        (shown) => !('old' in shown && 'new' in shown) || JSON.stringify(shown.old) !== JSON.stringify(shown.new),
      ),
  };
}
