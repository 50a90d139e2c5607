import { z } from 'zod';
import { ref, type Schema } from '../route-description.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The schemas of bodies that zod reads, so that each is declared once. Bodies of the table refer to each other by name;
 * conditions that only code can check are left out.
 */
export function schemasOf<N extends string>(bodies: Readonly<Record<N, z.ZodType>>): Readonly<Record<N, Schema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, body] of Object.entries<z.ZodType>(bodies)) registry.add(body, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (name) => String(ref(name)['$ref']),
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const named = Object.entries<Schema>(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]);
  return Object.fromEntries(named) as Record<N, Schema>;
}

/** Writes a schema as generators of code understand it. */
function simplify(schema: JsonSchema): void {
  const [of, other] = schema.anyOf ?? [];
  if (typeof of?.type === 'string' && other?.type === 'null') {
    delete schema.anyOf;
    Object.assign(schema, { ...of, ...schema, type: [of.type, 'null'] });
  }
  // The format says it.
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.propertyNames !== undefined) {
    delete schema.propertyNames;
    if (Object.keys(schema.additionalProperties ?? {}).length === 0) schema.additionalProperties = true;
  }
  // Readers see the type first.
  for (const key of ['maxItems', 'default', 'description']) {
    const { [key]: value } = schema;
    delete schema[key];
    if (value !== undefined) schema[key] = value;
  }
}
