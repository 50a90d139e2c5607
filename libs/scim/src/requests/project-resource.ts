import { includes, type Projection } from './list-request.ts';

type Resource = Readonly<Record<string, unknown>>;

/** These are in each response (RFC 7643 §7, `returned: always`). */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/** The part of a resource that a request asks for. */
export function projectResource(resource: Resource, projection: Projection): Resource {
  if (projection.attributes === undefined && projection.excluded.size === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      if (ALWAYS.has(lower)) return [[name, value]];
      return includes(projection, lower) ? [[name, projectValue(value, lower, projection)]] : [];
    }),
  );
}

function projectValue(value: unknown, path: string, projection: Projection): unknown {
  if (Array.isArray(value)) return value.map((each) => projectValue(each, path, projection));
  if (typeof value !== 'object' || value === null) return value;
  const { attributes, excluded } = projection;
  const isIncluded = (sub: string): boolean =>
    !excluded.has(sub) && (attributes === undefined || attributes.has(path) || attributes.has(sub));
  return Object.fromEntries(Object.entries(value).filter(([name]) => isIncluded(`${path}.${name.toLowerCase()}`)));
}
