import { type Arbitrary, fc } from '@lintel/testkit/properties';
import type { OpenApi, Schema } from '../read-document.ts';

/** Values that make a schema of the document meaningful: an attribute that exists, an instance that exists. */
export interface Hints {
  /** Of properties and parameters, by their names; undefined leaves the property out. */
  readonly byName: Readonly<Record<string, Arbitrary<unknown> | undefined>>;
  /** Of schemas with a name; undefined leaves the property out. */
  readonly bySchema: Readonly<Record<string, Arbitrary<unknown> | undefined>>;
}

const FORMATS: Readonly<Record<string, Arbitrary<unknown>>> = {
  byte: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => day(date)),
  'date-time': fc
    .tuple(days(), times(), fc.constantFrom('Z', '+05:30'))
    .map(([date, time, zone]) => `${date}T${time}${zone}`),
  'date-time-local': fc.tuple(days(), times()).map(([date, time]) => `${date}T${time}`),
  time: times().map((time) => `${time}Z`),
  'time-local': times(),
  uuid: fc.uuid(),
};
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int16: [-32_768, 32_767],
  int32: [-2_147_483_648, 2_147_483_647],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
};

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
function days(): Arbitrary<string> {
  return fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map(day);
}
function times(): Arbitrary<string> {
  return fc.integer({ min: 0, max: 86_399_999 }).map((ms) => new Date(ms).toISOString().slice(11, 23));
}

/** Values that a schema allows. Instances of instances are not deeper than `depth`. */
export function valuesOf(document: OpenApi, hints: Hints, schema: Schema, depth = 2): Arbitrary<unknown> {
  const of = (one: Schema, to = depth): Arbitrary<unknown> => valuesOf(document, hints, one, to);
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return hints.bySchema[name] ?? of(document.components.schemas[name], depth - 1);
  }
  const choices = (schema.oneOf ?? schema.anyOf)?.filter(({ readOnly }: Schema) => readOnly !== true);
  if (choices !== undefined) return fc.oneof(...choices.map((one: Schema) => of(one)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => of({ ...schema, type })));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'string':
      return textsOf(schema);
    case 'array':
      return depth <= 0 ? fc.constant([]) : fc.array(of(schema.items ?? {}), { maxLength: 2 });
    case 'object':
      return objectsOf(schema, hints, (one) => of(one));
    default:
      return fc.constantFrom<unknown>(null, true, 1, 'text', [], { member: 1 });
  }
}

function numbersOf({ type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Arbitrary<number> {
  const [lowest, highest] = RANGES[format] ?? [-1_000_000, 1_000_000];
  const min = Math.max(lowest, minimum ?? (exclusiveMinimum === undefined ? lowest : exclusiveMinimum + 1));
  const max = Math.min(highest, maximum ?? (exclusiveMaximum === undefined ? highest : exclusiveMaximum - 1));
  const whole = fc.integer({ min, max });
  return type === 'integer'
    ? whole
    : fc.oneof(
        whole,
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) - 1 }).map((value) => value + 0.25),
      );
}

function textsOf({ format, pattern, examples = [], minLength = 0, maxLength = 60 }: Schema): Arbitrary<unknown> {
  const known = FORMATS[format];
  if (known !== undefined) return known;
  if (pattern !== undefined) return fc.constantFrom(...examples);
  return fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, 60) });
}

function objectsOf(
  { properties = {}, required = [] }: Schema,
  { byName }: Hints,
  of: (schema: Schema) => Arbitrary<unknown>,
): Arbitrary<unknown> {
  const members = Object.entries<Schema>(properties)
    .filter(([name, { readOnly }]) => readOnly !== true && !(name in byName && byName[name] === undefined))
    .map(([name, schema]): [string, Arbitrary<unknown>] => [name, byName[name] ?? of(schema)]);
  return fc.record(Object.fromEntries(members), {
    requiredKeys: required.filter((name: string) => members.some(([member]) => member === name)),
    noNullPrototype: true,
  });
}

/** What replaces a part of a value: mostly what its schema excludes. The empty text is null to the service; no schema says so. */
const ODD = fc.constantFrom<unknown>(null, true, 1.5, -1, 'no such value', 'x'.repeat(5_000), [], [[]], {}, { a: 1 });

/** The value with an odd one in one of its positions. */
export const mutated = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), ODD).map(([value, at, odd]) => {
    const paths = pathsOf(value);
    return replaced(value, paths[at % paths.length] ?? [], odd);
  });

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [path, ...entries.flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, odd: unknown): unknown {
  if (key === undefined) return odd;
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest, odd));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, odd) };
}
