import type { Schema } from './route-description.ts';

const FORMATS: Readonly<Record<string, string>> = {
  byte: 'AQID',
  date: '2026-01-31',
  'date-time': '2026-01-31T10:20:30.000Z',
  'date-time-local': '2026-01-31T10:20:30.000',
  email: 'ann@example.com',
  time: '10:20:30Z',
  'time-local': '10:20:30',
  'uri-reference': 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000001',
};
/** Levels of schemas inside others; deeper ones have no example. */
const MAX_DEPTH = 10;

/** A value that the schema describes; undefined where it says too little. References are to `schemas`. */
export function exampleOfSchema(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth = 0): unknown {
  const {
    $ref,
    type,
    enum: constants,
    const: constant,
    default: value,
    anyOf,
    oneOf = anyOf,
    pattern,
    contentSchema,
    examples,
  } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if (depth > MAX_DEPTH || (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(exampleText(schema))))
    return undefined;
  if (typeof $ref === 'string') return exampleOfSchema(schemas[nameOf($ref)] ?? {}, schemas, depth + 1);
  if (value !== undefined) return value;
  if (constant !== undefined) return constant;
  if (Array.isArray(constants)) return constants[0] as unknown;
  if (Array.isArray(oneOf)) return exampleOfSchema(oneOf[0] as Schema, schemas, depth + 1);
  if (contentSchema !== undefined) return undefined;
  switch (Array.isArray(type) ? (type[0] as unknown) : type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'string':
      return exampleText(schema);
    case 'array': {
      const item = exampleOfSchema((schema['items'] ?? {}) as Schema, schemas, depth + 1);
      return item === undefined ? [] : [item];
    }
    case 'object':
      return exampleObject(schema, schemas, depth);
    default:
      return undefined;
  }
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** One, or the number next to it that the limits permit. */
function exampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): number {
  const least = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity) + 1);
  const greatest = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity) - 1);
  return Math.min(Math.max(1, least), greatest);
}

function exampleText({ format, minLength, maxLength }: Schema): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  const text = 'text'.padEnd(Number(minLength ?? 0), 't');
  return maxLength === undefined ? text : text.slice(0, Number(maxLength));
}

/** Only the members that must be there. */
function exampleObject(
  { properties = {}, required = [] }: Schema,
  schemas: Readonly<Record<string, Schema>>,
  depth: number,
) {
  const members = properties as Readonly<Record<string, Schema>>;
  return Object.fromEntries(
    (required as readonly string[]).flatMap((name) => {
      const value = exampleOfSchema(members[name] ?? {}, schemas, depth + 1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
