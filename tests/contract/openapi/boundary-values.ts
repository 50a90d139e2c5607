import type { OpenApi, Schema } from './read-document.ts';

/** Values at the borders of a schema, on both sides. */
export interface BoundaryValues {
  readonly allowed: readonly unknown[];
  readonly excluded: readonly unknown[];
}

const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead';
const DATES = ['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'];
const TIMES = ['00:00:00', '23:59:59', '10:20:30.1', '10:20:30.123'];

/** An empty text is null to the service where the format has none; no schema says so. */
const FORMATS: Readonly<Record<string, BoundaryValues>> = {
  byte: { allowed: ['', 'AQID'], excluded: ['*'] },
  date: { allowed: DATES, excluded: ['2026-02-30', '31.01.2026', 'today'] },
  'date-time': {
    allowed: TIMES.flatMap((time) => [`2026-01-31T${time}Z`, `2026-01-31T${time}+05:30`]),
    excluded: ['2026-01-31T25:00:00Z', 'now'],
  },
  'date-time-local': { allowed: TIMES.map((time) => `2026-01-31T${time}`), excluded: ['2026-01-31T25:00:00', 'now'] },
  time: { allowed: TIMES.map((time) => `${time}Z`), excluded: ['25:00:00Z', 'noon'] },
  'time-local': { allowed: TIMES, excluded: ['25:00:00', 'noon'] },
  uuid: { allowed: [UNKNOWN_ID], excluded: ['1'] },
  int16: { allowed: [32_767, -32_768], excluded: [32_768, -32_769] },
  int32: { allowed: [2_147_483_647, -2_147_483_648], excluded: [2_147_483_648, -2_147_483_649] },
  int64: { allowed: [9_007_199_254_740_991, -9_007_199_254_740_991], excluded: [1e19] },
};

/**
 * Values that the schema of an attribute allows, and such that it excludes.
 *
 * @param reference an instance that exists, for attributes that refer to one
 */
export function boundaryValues(document: OpenApi, schema: Schema, reference?: object): BoundaryValues {
  const isNullable = allowsNull(schema);
  const nulls = { allowed: isNullable ? [null] : [], excluded: isNullable ? [] : [null] };
  const one = merged(document, withoutNull(schema));
  const { allowed, excluded } = valuesOf(one, reference);
  return { allowed: [...nulls.allowed, ...allowed], excluded: [...nulls.excluded, ...excluded] };
}

const allowsNull = ({ type, anyOf }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(anyOf) && anyOf.some((each: Schema) => each.type === 'null' && each.readOnly !== true));

const withoutNull = (schema: Schema): Schema => {
  const { type, anyOf, enum: constants } = schema;
  return {
    ...schema,
    ...(Array.isArray(type) ? { type: type.find((each: string) => each !== 'null') } : {}),
    ...(Array.isArray(constants) ? { enum: constants.filter((each: unknown) => each !== null) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter((each: Schema) => each.type !== 'null') } : {}),
  };
};

/** With the keywords of the schema that it refers to. */
function merged(document: OpenApi, schema: Schema): Schema {
  const [only] = schema.anyOf ?? [schema];
  const { $ref } = only;
  if (typeof $ref !== 'string') return only;
  return document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
}

function valuesOf(schema: Schema, reference: object | undefined): BoundaryValues {
  switch (schema.type) {
    case 'array':
      return { allowed: [[]], excluded: [{}, 1, 'text'] };
    case 'object':
      return { allowed: reference === undefined ? [] : [reference], excluded: [1, true, []] };
    case 'boolean':
      return { allowed: [true, false], excluded: ['perhaps', {}] };
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'string':
      return textsOf(schema);
    default:
      throw new Error(`Values of ${JSON.stringify(schema)} are unknown`);
  }
}

function numbersOf({ type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): BoundaryValues {
  const lowest = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const highest = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1);
  const inFormat = (value: number): boolean =>
    (lowest === undefined || value >= lowest) && (highest === undefined || value <= highest);
  const { allowed = [], excluded = [] } = FORMATS[format] ?? {};
  return {
    allowed: [
      ...(allowed as readonly number[]).filter(inFormat),
      ...[lowest, highest].filter((value) => value !== undefined),
    ],
    excluded: [
      ...excluded,
      ...[
        minimum === undefined ? exclusiveMinimum : minimum - 1,
        maximum === undefined ? exclusiveMaximum : maximum + 1,
      ],
      ...[type === 'integer' ? 1.5 : undefined, 'many', {}],
    ].filter((value) => value !== undefined),
  };
}

function textsOf({ format, maxLength, minLength, enum: constants, pattern, examples = [] }: Schema): BoundaryValues {
  if (constants !== undefined) return { allowed: constants, excluded: ['UNKNOWN', '', {}] };
  if (FORMATS[format] !== undefined)
    return { ...FORMATS[format], excluded: [...(FORMATS[format] as BoundaryValues).excluded, {}] };
  if (pattern !== undefined) {
    const allowed = [...examples, ...(minLength === undefined && new RegExp(pattern, 'u').test('') ? [''] : [])];
    return { allowed, excluded: ['no match', {}] };
  }
  return {
    allowed: [
      ...(maxLength === undefined ? ['x'.repeat(300)] : ['x'.repeat(maxLength), 'ä'.repeat(maxLength)]),
      ...(minLength === undefined ? [''] : ['x'.repeat(minLength)]),
    ],
    excluded: [
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
      ...(minLength === undefined || minLength === 0 ? [] : ['x'.repeat(minLength - 1)]),
      {},
    ],
  };
}
