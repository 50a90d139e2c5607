import type { ParameterDescription, RouteDescription } from './route-description.ts';

/** A parameter that stands under `components`. */
export interface SharedParameter {
  readonly name: string;
  readonly parameter: ParameterDescription;
}

/**
 * Parameters that more than one operation has, by their content, each with a name of its own. The prefix keeps the names
 * apart from names of schemas: some generators of code make types of both.
 */
export function sharedParameters(routes: readonly RouteDescription[]): ReadonlyMap<string, SharedParameter> {
  const counts = new Map<string, { readonly parameter: ParameterDescription; count: number }>();
  for (const parameter of routes.flatMap(({ parameters }) => parameters ?? [])) {
    const key = JSON.stringify(parameter);
    const entry = counts.get(key) ?? { parameter, count: 0 };
    entry.count += 1;
    counts.set(key, entry);
  }
  const taken = new Map<string, number>();
  const shared = new Map<string, SharedParameter>();
  for (const [key, { parameter, count }] of counts) {
    if (count < 2) continue;
    const earlier = taken.get(parameter.name) ?? 0;
    taken.set(parameter.name, earlier + 1);
    const name = `parameter_${parameter.name}`;
    shared.set(key, { name: earlier === 0 ? name : `${name}_${earlier + 1}`, parameter });
  }
  return shared;
}
