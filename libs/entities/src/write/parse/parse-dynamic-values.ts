import type { PlatformError } from '@lintel/errors';
import {
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  type Model,
} from '@lintel/metadata';
import { canonicalScalar, type ExactJson, type ExactObject, isExactObject, type TimeReading } from '@lintel/query';
import type { DynamicItem, DynamicValue } from '../values/dynamic-value.ts';
import { notAnArray, notAnObject, type ParseMode, wrongScalar } from './deserialization-error.ts';
import { parseKey } from './parse-key.ts';

interface Context {
  readonly model: Model;
  readonly mode: ParseMode;
  readonly times?: TimeReading | undefined;
}

/**
 * The members `+code` of an instance (contract/writing.md#update). Codes that the entity does not have are ignored;
 * values that were not sent are unchanged (contract/decisions.md#10); null and an empty list remove the value.
 *
 * @param path path of the instance from the sent root
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the member
 */
export const parseDynamicValues = (
  context: Context,
  entity: Entity,
  json: ExactObject,
  path: string,
): readonly DynamicValue[] =>
  dynamicAttributesOf(context.model, entity).flatMap((attribute): DynamicValue[] => {
    const member = dynamicMemberOf(attribute);
    const value = Object.hasOwn(json, member) ? json[member] : undefined;
    if (value === undefined) return [];
    const at = path === '' ? member : `${path}.${member}`;
    const sent = sentItems(context, attribute, value, at);
    const items = sent.flatMap((item) => item.value ?? []);
    return [{ attribute, path: at, items, lacksId: items.length < sent.length }];
  });

/** A value that was sent; undefined for a reference without an id. */
interface SentItem {
  readonly value: DynamicItem | undefined;
}

function sentItems(context: Context, attribute: DynamicAttribute, json: ExactJson, path: string): readonly SentItem[] {
  if (json === null) return [];
  if (!attribute.collection) return parseItem(context, attribute, json, path) ?? [];
  if (!Array.isArray(json)) throw notAnArray(path, dynamicMemberOf(attribute), context.mode);
  return (json as readonly ExactJson[]).map((element, index) => {
    const at = `${path}[${index}]`;
    const [item] = parseItem(context, attribute, element, at) ?? [];
    if (item === undefined) throw wrongItem(context, attribute, element, at);
    return item;
  });
}

/** Returns undefined if the value means null. */
function parseItem(
  context: Context,
  attribute: DynamicAttribute,
  json: ExactJson,
  path: string,
): readonly [SentItem] | undefined {
  const datatype = dynamicDatatypeOf(attribute.type);
  if (datatype !== undefined) {
    const type = { kind: 'datatype', datatype } as const;
    const parsed = canonicalScalar(type, json, context.times, path);
    if (parsed === undefined) throw wrongItem(context, attribute, json, path);
    // No column bounds a decimal: one that is too long to be sent again in plain notation is refused.
    if (datatype === 'decimal' && canonicalScalar(type, parsed.value as string | null) === undefined)
      throw wrongItem(context, attribute, json, path);
    return parsed.value === null ? undefined : [{ value: parsed.value }];
  }
  if (!isExactObject(json)) throw wrongItem(context, attribute, json, path);
  const key = parseKey(context.model, entityOf(context.model, attribute.target ?? ''), json, path, context.mode);
  return [{ value: key === undefined ? undefined : { key } }];
}

function wrongItem({ mode }: Context, attribute: DynamicAttribute, json: ExactJson, path: string): PlatformError {
  const datatype = dynamicDatatypeOf(attribute.type);
  return datatype === undefined
    ? notAnObject(path, dynamicMemberOf(attribute), mode)
    : wrongScalar(path, { kind: 'datatype', datatype }, json, mode);
}
