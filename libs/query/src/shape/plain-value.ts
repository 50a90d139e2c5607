import type { Datatype } from '@lintel/metadata';
import { ExactNumber, isExactObject } from '../json/exact-json.ts';
import { plainJson } from '../literals/json-text.ts';
import type { ColumnFormat, ObjectPlan, ValuePlan } from '../plan/read-plan.ts';

/** Datatypes whose values are numbers in application code; other numbers are exact texts. */
const BINARY_NUMBERS: ReadonlySet<Datatype> = new Set(['short', 'int', 'float', 'double']);

/** A single value as application code sees it. */
export function plainScalar(value: unknown, format: ColumnFormat): unknown {
  if (format.kind === 'datatype' && format.datatype === 'json') return plainJson(value ?? null);
  if (!(value instanceof ExactNumber)) return value ?? null;
  return format.kind === 'datatype' && BINARY_NUMBERS.has(format.datatype) ? Number(value.text) : value.text;
}

/** A value as application code sees it: see the attribute builders of `@lintel/metadata`. */
function plainValue(value: unknown, plan: ValuePlan): unknown {
  if (value === null || value === undefined) return null;
  switch (plan.kind) {
    case 'column':
    case 'scalar':
      return plainScalar(value, plan.format);
    case 'elements':
      return Array.isArray(value) ? value.map((item: unknown) => plainScalar(item, plan.format)) : [];
    case 'object':
    case 'one':
      return isExactObject(value) ? plainObject(value, plan.object) : null;
    case 'many':
      return Array.isArray(value)
        ? value.map((item: unknown) => (isExactObject(item) ? plainObject(item, plan.object) : item))
        : [];
    case 'constant':
    case 'count':
    case 'name':
    case 'names':
    case 'highlights':
    case 'computed':
      return value;
    default:
      return plan satisfies never;
  }
}

/** An object as application code sees it; absent members are null. */
export function plainObject(
  object: Readonly<Record<string, unknown>>,
  plan: ObjectPlan,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(plan.members.map(({ name, value }) => [name, plainValue(object[name], value)]));
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A value that application code computed, in its JSON form: numbers given as exact texts become numbers, and
 * binary ones that are whole keep their `.0` (contract/instances.md#values).
 */
export function jsonValue(value: unknown, datatype: Datatype): unknown {
  if (value === undefined || value === null) return null;
  const isFloating = datatype === 'double' || datatype === 'float';
  if (isFloating && typeof value === 'number' && /^-?\d+$/.test(String(value))) return new ExactNumber(`${value}.0`);
  const isNumeric = datatype === 'decimal' || datatype === 'long' || datatype === 'bigInteger';
  if (typeof value === 'bigint') return new ExactNumber(String(value));
  return isNumeric && typeof value === 'string' && NUMBER.test(value) ? new ExactNumber(value) : value;
}
