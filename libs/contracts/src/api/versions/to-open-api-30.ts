import type { OpenApiDocument } from '../build-document.ts';
import { reachableSchemas } from '../reachable-schemas.ts';
import type { Schema } from '../route-description.ts';
import { type TypesByReference, toSchema30 } from './to-schema-30.ts';

type Members = Readonly<Record<string, unknown>>;

/** The licence of the API by a URL: 3.0 has no SPDX identifiers. */
const LICENSE_URL = 'https://www.apache.org/licenses/LICENSE-2.0';

/**
 * A document of `buildDocument` in OpenAPI 3.0.3, for tools that do not read 3.1. Webhooks are left out: 3.0 has none.
 */
export function toOpenApi30(document: OpenApiDocument): OpenApiDocument {
  const { openapi: _version, info, webhooks: _webhooks, components, paths, ...others } = document;
  const { license: _license, ...described } = info as Members;
  const { pathItems: _pathItems, schemas, ...shared } = components as Members;
  const named = Object.entries(schemas as Record<string, Schema>);
  const types = new Map(named.map(([name, { type }]) => [`#/components/schemas/${name}`, type]));
  const converted = withSchemas30({ paths, shared }, types) as { readonly paths: Members; readonly shared: Members };
  const all = Object.fromEntries(named.map(([name, schema]) => [name, toSchema30(schema, types)]));
  return {
    openapi: '3.0.3',
    info: { ...described, license: { name: 'Apache-2.0', url: LICENSE_URL } },
    ...others,
    paths: converted.paths,
    components: { schemas: reachableSchemas(all, converted), ...converted.shared },
  };
}

/** Responses in place of ranges of statuses, which older generators do not read. */
const RANGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['4XX', ['default']],
  ['5XX', ['500', '503', '504']],
]);

/** Members whose values are examples: they stay as they are. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum']);

/** A copy with every `schema` of a parameter, header or content converted, and with single statuses for a range. */
function withSchemas30(value: unknown, types: TypesByReference): unknown {
  if (Array.isArray(value)) return value.map((item) => withSchemas30(item, types));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key === 'schema') return [[key, toSchema30(member, types)]];
      const converted = VALUES.has(key) ? member : withSchemas30(member, types);
      return (RANGES.get(key) ?? [key]).map((name) => [name, converted]);
    }),
  );
}
