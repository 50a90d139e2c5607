import type { Entity } from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject } from '@lintel/query';
import { ID_KEY, idKeyOf, type MatchKey } from '../model/match-keys.ts';
import type { InstanceInput, SentValue } from '../parse/instance-input.ts';
import { type ParseContext, parseInstance } from '../parse/parse-instance.ts';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import { isReference, type Scalar } from '../values/value.ts';
import type { WriteCall } from '../write-call.ts';

type KeyCall = Pick<WriteCall, 'model' | 'writeModel' | 'access' | 'times'>;

/** The keys whose attributes the caller may view: others do not exist for the caller. */
const keysFor = ({ writeModel, access }: KeyCall, entity: Entity): readonly MatchKey[] =>
  writeModel
    .of(entity)
    .matchKeys.filter(({ slots }) =>
      slots.every(({ rights }) => rights.every(([owner, attribute]) => access.mayView(owner, attribute))),
    );

/**
 * The key that consists of exactly these attributes: the id under either of its names, or a unique constraint. Of
 * several constraints it is the one without an expression and a condition.
 */
export function keyNamed(call: KeyCall, entity: Entity, names: readonly string[]): MatchKey | undefined {
  const [first = ''] = names;
  if (names.length === 1 && (first === ID_KEY || first === entity.key?.attribute))
    return idKeyOf(call.writeModel.of(entity));
  const wanted = new Set(names);
  const found = keysFor(call, entity).filter(
    ({ paths }) => paths.length === names.length && paths.every((path) => wanted.has(path)),
  );
  return found.length > 1
    ? found.find(({ expression, where }) => expression === undefined && where === undefined)
    : found[0];
}

/** The keys that a caller may name, for errors. */
export const keyNames = (call: KeyCall, entity: Entity): string =>
  [[ID_KEY], ...keysFor(call, entity).map(({ paths }) => paths)].map((paths) => `'${paths.join(',')}'`).join(' or ');

export const isIdKey = ({ paths }: MatchKey): boolean => paths.length === 1 && paths[0] === ID_KEY;

/** Reads the attributes of a key from an object of the body, and no others. */
export function keyInputOf(call: KeyCall, entity: Entity, key: MatchKey, json: ExactJson, path: string): InstanceInput {
  const context: ParseContext = { model: call.model, mode: 'other', readsVersion: false, access: call.access };
  const names = [...key.paths.map((name) => name.split('.', 1)[0] ?? name), '_entityName'];
  return parseInstance(context, entity, isExactObject(json) ? membersOf(json, names) : json, path);
}

/**
 * The values of a key, one for each of its columns.
 *
 * @returns the path of the first attribute that has none instead, if there is one
 */
export function keyValuesIn({ slots }: MatchKey, { values }: InstanceInput): readonly Scalar[] | string {
  const all: Scalar[] = [];
  for (const slot of slots) {
    const parts = partsOf(values.get(slot.path));
    if (parts === undefined) return slot.path;
    all.push(...parts);
  }
  return all;
}

/** The values of a key in an object of the body. */
export function keyValuesOf(
  call: KeyCall,
  entity: Entity,
  key: MatchKey,
  json: ExactJson,
  path: string,
): readonly Scalar[] | string {
  if (!isIdKey(key)) return keyValuesIn(key, keyInputOf(call, entity, key, json, path));
  const sent = isExactObject(json) ? keyMemberOf(entity, json) : undefined;
  return (sent === undefined ? undefined : readKey(call.model, entity, sent)) ?? ID_KEY;
}

const membersOf = (json: ExactObject, names: readonly string[]): ExactObject =>
  Object.fromEntries(
    names.flatMap((name): [string, ExactJson][] => {
      const value = Object.hasOwn(json, name) ? json[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The values of the columns of an attribute; undefined without a value. */
function partsOf(sent: SentValue | undefined): readonly Scalar[] | undefined {
  const value = sent?.value ?? null;
  if (value === null || value === 'missing') return undefined;
  return isReference(value) ? value.key : [value as Scalar];
}
