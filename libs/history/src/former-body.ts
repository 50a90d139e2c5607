import {
  type Attribute,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  type Model,
} from '@lintel/metadata';
import { type ExactJson, isExactObject } from '@lintel/query';
import { entryAt } from './list-changes.ts';
import { type HistoryReading, type HistorySubject, readStates, stateOf, wholeHistory } from './read-states.ts';

/**
 * The body of an update that makes an instance as it was at a point in time, with its children, as far as the caller
 * may see that state. References have their ids alone; version and audit attributes are left out.
 *
 * @param chosen names of the attributes that are restored; all without it
 * @returns undefined if the caller may not see a state at that time
 */
export async function formerBody(
  subject: HistorySubject,
  time: string,
  chosen: ReadonlySet<string> | undefined,
  reading: HistoryReading,
): Promise<string | undefined> {
  const { model } = reading;
  const plan = { ...wholeHistory(model, subject.entity, chosen), returnNulls: true };
  const moment = { key: subject.key, entry: await entryAt(subject, time, reading) };
  const states = await readStates(subject.entity, [moment], plan, reading);
  const state = stateOf(states.get(0));
  if (state === undefined) return undefined;
  const { id: _id, ...members } = membersOf(model, subject.entity, state, chosen);
  return JSON.stringify(members);
}

function membersOf(
  model: Model,
  entity: Entity,
  state: Readonly<Record<string, ExactJson>>,
  chosen?: ReadonlySet<string>,
): Readonly<Record<string, ExactJson>> {
  const name = state['_entityName'];
  const concrete = typeof name === 'string' ? entityOf(model, name) : entity;
  const system: readonly unknown[] = Object.values(concrete.system);
  const members: Record<string, ExactJson> = { _entityName: concrete.name };
  if (state['id'] !== undefined) members['id'] = state['id'];
  for (const attribute of concrete.attributes.values()) {
    const value = state[attribute.name];
    if (value === undefined || system.includes(attribute.name) || chosen?.has(attribute.name) === false) continue;
    if (attribute.name === concrete.key?.attribute) continue;
    members[attribute.name] = sentValue(model, attribute, value);
  }
  for (const name of dynamicAttributesOf(model, concrete).map(dynamicMemberOf)) {
    const value = state[name];
    if (value !== undefined && chosen?.has(name) !== false) members[name] = sentValue(model, undefined, value);
  }
  return members;
}

/**
 * A value as a write has it: references have their ids alone.
 *
 * @param attribute undefined for a dynamic one, of which only references are objects
 */
export function sentValue(model: Model, attribute: Attribute | undefined, value: ExactJson): ExactJson {
  if (attribute !== undefined && attribute.kind !== 'reference') return value;
  if (Array.isArray(value)) return (value as readonly ExactJson[]).map((one) => sentValue(model, attribute, one));
  if (!isExactObject(value)) return value;
  return attribute?.composition === true
    ? membersOf(model, entityOf(model, attribute.target), value)
    : { id: value['id'] ?? null };
}
