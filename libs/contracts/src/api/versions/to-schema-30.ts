import type { Schema } from '../route-description.ts';

/** Keywords of an OpenAPI 3.0 schema whose values are kept as they are. */
const KEPT: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'format', 'enum', 'required', 'nullable'],
  ...['multipleOf', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'readOnly', 'writeOnly', 'deprecated', 'discriminator', 'externalDocs', 'xml'],
]);

/** The types of the schemas that references lead to, by reference. */
export type TypesByReference = ReadonlyMap<unknown, unknown>;

/**
 * The schema in OpenAPI 3.0.3: null is `nullable`, exclusive limits are booleans, a reference has no siblings. A keyword
 * that 3.0 lacks is left out, so the result never excludes a value that the schema describes.
 *
 * @param types in 3.0, `nullable` has no effect without a type
 */
export function toSchema30(schema: unknown, types: TypesByReference): Schema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const { $ref, ...given } = schema as Schema;
  if (typeof $ref === 'string') {
    // Beside a reference, generators of code would make a type of them.
    const { required: _required, ...others } = given;
    const siblings = Object.keys(others).length === 0 ? undefined : toSchema30(others, types);
    return siblings === undefined ? { $ref } : { ...siblings, allOf: [{ $ref }, ...listOf(siblings['allOf'])] };
  }
  return withAlternatives(withType({ ...keptOf(given), ...membersOf(given, types) }, given), given, types);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Keywords that need no knowledge of the type. */
function keptOf(given: Schema): Schema {
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(given))
    if (KEPT.has(keyword) || keyword.startsWith('x-')) kept[keyword] = value;
  if (listOf(kept['required']).length === 0) delete kept['required'];
  if ('const' in given) kept['enum'] = [given['const']];
  const [example] = listOf(given['examples']);
  if (example !== undefined && !('example' in kept)) kept['example'] = example;
  if (given['contentEncoding'] === 'base64') kept['format'] ??= 'byte';
  return {
    ...kept,
    ...exclusive(given, 'minimum', 'exclusiveMinimum'),
    ...exclusive(given, 'maximum', 'exclusiveMaximum'),
  };
}

/** The stricter of a limit and an exclusive limit. */
function exclusive(given: Schema, limit: 'minimum' | 'maximum', keyword: string): Schema {
  const exclusiveLimit = given[keyword];
  if (typeof exclusiveLimit !== 'number') return {};
  const inclusive = given[limit];
  const isStricter =
    typeof inclusive !== 'number' || (limit === 'minimum' ? exclusiveLimit >= inclusive : exclusiveLimit <= inclusive);
  return isStricter ? { [limit]: exclusiveLimit, [keyword]: true } : {};
}

/** The schemas of members and items. */
function membersOf(given: Schema, types: TypesByReference): Schema {
  const { properties, additionalProperties, patternProperties, items, prefixItems } = given;
  const convert = (schema: unknown): Schema => toSchema30(schema, types);
  const isOpen = additionalProperties === undefined || patternProperties !== undefined;
  const isPosition = items === undefined || prefixItems !== undefined || Array.isArray(items);
  return {
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as Schema).map(([name, schema]) => [name, convert(schema)]),
          ),
        }),
    ...(isOpen
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean' ? additionalProperties : convert(additionalProperties),
        }),
    ...(isPosition ? {} : { items: convert(items) }),
  };
}

function withType(kept: Schema, given: Schema): Schema {
  const named = given['type'] === undefined ? [] : [given['type']].flat();
  const [type, ...others] = named.filter((each) => each !== 'null');
  const isNullable = named.includes('null');
  if (type === undefined) return isNullable ? { ...kept, ...NULL } : kept;
  if (others.length > 0) {
    const alternatives = [type, ...others].map((each) => typed(each));
    return { ...kept, anyOf: alternatives.map((each) => (isNullable ? { ...each, nullable: true } : each)) };
  }
  return { ...kept, ...typed(type, kept['items']), ...(isNullable ? { nullable: true } : {}) };
}

const typed = (type: unknown, items: unknown = {}): Schema => (type === 'array' ? { type, items } : { type });

/** Null alone. */
const NULL: Schema = { type: 'object', nullable: true, enum: [null] };

const isNull = (schema: unknown): boolean => (schema as Schema | undefined)?.['type'] === 'null';

/** One alternative or null is that one, with `nullable`; of several, null is one more. */
function withAlternatives(kept: Schema, given: Schema, types: TypesByReference): Schema {
  const result: Record<string, unknown> = { ...kept };
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const schemas = listOf(given[keyword]);
    if (schemas.length === 0) continue;
    const others = schemas.filter((each) => !isNull(each)).map((each) => toSchema30(each, types));
    const [only] = others;
    // NSwag makes no type for one of several references.
    if (others.length === schemas.length) result[others.every((each) => '$ref' in each) ? 'anyOf' : keyword] = others;
    else if (others.length === 1 && only !== undefined) Object.assign(result, nullable(only, types), kept);
    else result[keyword] = [...others, NULL];
  }
  const all = listOf(given['allOf']);
  if (all.length > 0) result['allOf'] = [...listOf(result['allOf']), ...all.map((each) => toSchema30(each, types))];
  return result;
}

/** Null, too. */
function nullable(schema: Schema, types: TypesByReference): Schema {
  const { $ref, type = types.get($ref), enum: constants } = schema;
  if ($ref !== undefined && typeof type === 'string') return { type, allOf: [schema], nullable: true };
  // Without a type and alternatives, null is described already.
  if (type === undefined) return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, NULL] };
  const isListed = !Array.isArray(constants) || constants.includes(null);
  return { ...schema, nullable: true, ...(isListed ? {} : { enum: [...(constants as readonly unknown[]), null] }) };
}
