import type { Schema } from './route-description.ts';

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that `roots` refer to, directly or through others. */
export function reachableSchemas(
  schemas: Readonly<Record<string, Schema>>,
  roots: unknown,
): Readonly<Record<string, Schema>> {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(schemas[name] ?? {});
    }
  };
  follow(roots);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}
