import type { EventData, EventType } from '@lintel/contracts';
import { createEnvelope } from '@lintel/events';
import { isWatched } from '@lintel/metadata';
import type { OutboxEvent } from '@lintel/persistence';
import { formatEntityId, idOf } from '@lintel/query';
import { currentActor, traceparentOf } from '@lintel/telemetry';
import { mapInSlices } from '../../slices/map-in-slices.ts';
import type { ChangeRecord } from '../scope/change-log.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import type { Values } from '../values/value.ts';
import { roleChangesOf, roleNameOf } from './role-changes.ts';
import { snapshotEventsOf } from './stale-facts.ts';

/** Appends the events of all changes to the outbox, and the own ones after them, in the transaction of the changes. */
export async function publishChanges(scope: WriteScope): Promise<void> {
  const events = [...(await eventsOf(scope, scope.changes.all())), ...scope.changes.ownEvents];
  if (events.length > 0) await scope.transaction.appendEvents(events);
}

/** The events of changes. */
export async function eventsOf(scope: WriteScope, records: readonly ChangeRecord[]): Promise<readonly OutboxEvent[]> {
  const events: OutboxEvent[] = [];
  await mapInSlices(records, (record) => addEvents(scope, record, events));
  const snapshots = snapshotEventsOf(records.map(({ entity }) => entity.name));
  for (const { type, subject } of snapshots) {
    const isOfRoles = type === 'data.roles.changed.v1';
    const data = isOfRoles ? { roles: await roleChangesOf(scope, records), actor: actorOf(scope) } : {};
    events.push(event(scope, type, subject, data));
  }
  return events;
}

function addEvents(scope: WriteScope, record: ChangeRecord, events: OutboxEvent[]): void {
  const { entity, key, change, attributes, usernames, before, after } = record;
  const id = idOf(scope.model, entity, key);
  const changed = event(scope, 'data.entity.changed.v1', `${entity.name}/${formatEntityId(scope.model, entity, id)}`, {
    entity: entity.name,
    id,
    change,
    attributes: attributes.size === 1 ? [...attributes] : [...attributes].sort(),
    by: scope.username,
  });
  const became = becameOf(record);
  events.push(became === undefined ? changed : { ...changed, became });
  for (const username of usernames) {
    if (entity.name === 'sec_User') {
      const names = [...attributes].sort();
      const active = attributes.has('active') && before !== undefined ? { active: after?.get('active') === true } : {};
      const data = { username, change, attributes: names, ...active, actor: actorOf(scope) };
      events.push(event(scope, 'data.user.changed.v1', username, data));
      continue;
    }
    for (const [kind, values] of [
      ['taken', before],
      ['given', after],
    ] as const)
      if (values?.get('username') === username && !isSameRole(before, after))
        events.push(
          event(scope, 'data.assignment.changed.v1', username, {
            username,
            role: roleNameOf(values.get('roleCode'), values.get('roleType') !== 'resource'),
            change: kind,
            actor: actorOf(scope),
          }),
        );
  }
}

/** New values of enumerations and booleans, for conditions such as *became CONFIRMED*. */
function becameOf({ entity, attributes, before, after }: ChangeRecord): Record<string, unknown> | undefined {
  let became: Record<string, unknown> | undefined;
  for (const name of attributes) {
    const value = after?.get(name) ?? null;
    const attribute = entity.attributes.get(name);
    // A later change of the same transaction may have set the former value again.
    if (typeof value === 'object' || value === before?.get(name) || attribute === undefined || !isWatched(attribute))
      continue;
    became ??= {};
    became[name] = value;
  }
  return became;
}

const isSameRole = (before: Values | undefined, after: Values | undefined): boolean =>
  ['username', 'roleCode', 'roleType'].every((name) => before?.get(name) === after?.get(name));

/** Who writes: listeners write with the rights of the application, for the same caller. */
const actorOf = ({ username }: WriteScope) => ({ ...currentActor(), by: username });

function event<T extends EventType>(scope: WriteScope, type: T, subject: string, data: EventData<T>): OutboxEvent {
  const id = scope.ids.next();
  const envelope = createEnvelope({
    owner: 'data',
    type,
    subject,
    data,
    id,
    time: new Date(`${scope.now}Z`),
    traceparent: traceparentOf(),
  });
  return { id, type, subject, envelope };
}
