import { type Attribute, entityOf, type Model } from '@lintel/metadata';
import {
  canonicalScalar,
  datatypeOf,
  type ExactJson,
  isDecimalType,
  isExactObject,
  type LiteralType,
  literalTypeOf,
  type TimeReading,
} from '@lintel/query';
import { wrongScalar } from '../parse/deserialization-error.ts';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import { isSameValue } from '../values/same-value.ts';
import { keyText } from '../values/value.ts';
import type { PatchState } from './apply-operation.ts';
import type { BoundOperation } from './check-operation.ts';
import { isEqualJson } from './json-pointer.ts';
import type { TargetContext } from './patch-target.ts';

/**
 * Whether the value of a `test` is the current one. Values of attributes are compared by their type, in any form that a
 * request may have; instances by their ids; JSON values as RFC 6902 says.
 *
 * @param current undefined if there is nothing at the path
 * @throws PlatformError REQ_CANNOT_DESERIALIZE for a value that is none of the attribute's type
 */
export function isEqualTarget(
  { context, times }: PatchState,
  { target, value, path }: BoundOperation,
  current: ExactJson | undefined,
): boolean {
  if (current === undefined) return false;
  const { model } = context;
  const { attribute, entity, rest } = target;
  const at = path.join('.');
  if (attribute.kind === 'dynamic') return isEqualDynamic(current, value);
  if (attribute.kind === 'fixed')
    return attribute.member === 'id' ? isSameId(model, entity.name, current, value) : isEqualJson(current, value);
  if (rest.kind === 'inside')
    return attribute.kind === 'elements'
      ? isSameScalar(datatypeOf(attribute), current, value, at, times)
      : isEqualJson(current, value);
  if (rest.kind === 'id' && attribute.kind === 'reference') return isSameId(model, attribute.target, current, value);
  return isEqual(context, attribute, current, value, at, times);
}

function isEqual(
  context: TargetContext,
  attribute: Attribute,
  current: ExactJson,
  value: ExactJson,
  at: string,
  times: TimeReading,
): boolean {
  const { model, access } = context;
  switch (attribute.kind) {
    case 'datatype':
    case 'enum': {
      const type = literalTypeOf(model, attribute);
      const isJson = type === undefined || (type.kind === 'datatype' && type.datatype === 'json');
      return isJson ? isEqualJson(current, value) : isSameScalar(type, current, value, at, times);
    }
    case 'elements': {
      const type = datatypeOf(attribute);
      const [left, right] = [current ?? [], value ?? []];
      if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
      return left.every((item: ExactJson, index) => isSameScalar(type, item, right[index] as ExactJson, at, times));
    }
    case 'embedded': {
      const [left, right] = [current ?? {}, value ?? {}];
      if (!isExactObject(left) || !isExactObject(right)) return false;
      // Attributes that the caller may not view are as members that do not exist: they are ignored.
      return [...entityOf(model, attribute.target).attributes.values()].every(
        (inner) =>
          !access.mayView(attribute.target, inner.name) ||
          isEqual(
            context,
            inner,
            memberOf(left, inner.name),
            memberOf(right, inner.name),
            `${at}.${inner.name}`,
            times,
          ),
      );
    }
    case 'reference':
      return isSameInstance(model, attribute.target, current, value);
    default:
      return attribute satisfies never;
  }
}

const memberOf = (json: { readonly [name: string]: ExactJson }, name: string): ExactJson =>
  Object.hasOwn(json, name) ? (json[name] ?? null) : null;

function isSameScalar(
  type: LiteralType,
  current: ExactJson,
  value: ExactJson,
  at: string,
  times: TimeReading,
): boolean {
  const expected = canonicalScalar(type, value, times, at);
  if (expected === undefined) throw wrongScalar(at, type, value, 'other');
  // The value of an earlier operation is read as it will be stored, too.
  const stored = canonicalScalar(type, current, { offsets: times.offsets });
  return stored !== undefined && isSameValue(stored.value, expected.value, isDecimalType(type));
}

/** Other members than the id are ignored, as in a body. */
function isSameInstance(model: Model, target: string, current: ExactJson, value: ExactJson): boolean {
  if (!isExactObject(current) || !isExactObject(value)) return current === value;
  const entity = entityOf(model, target);
  const [left, right] = [keyMemberOf(entity, current), keyMemberOf(entity, value)];
  return left !== undefined && right !== undefined && isSameId(model, target, left, right);
}

function isSameId(model: Model, target: string, current: ExactJson, value: ExactJson): boolean {
  const entity = entityOf(model, target);
  const [left, right] = [readKey(model, entity, current), readKey(model, entity, value)];
  return left !== undefined && right !== undefined && keyText(left) === keyText(right);
}

/** References of dynamic attributes are compared by their ids. */
function isEqualDynamic(current: ExactJson, value: ExactJson): boolean {
  if (Array.isArray(current) && Array.isArray(value))
    return (
      current.length === value.length &&
      current.every((item: ExactJson, at) => isEqualDynamic(item, value[at] as ExactJson))
    );
  if (isExactObject(current) && isExactObject(value)) return isEqualJson(current['id'] ?? null, value['id'] ?? null);
  return isEqualJson(current, value);
}
