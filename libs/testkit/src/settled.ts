/** Properties as texts, and constants of settings as numbers, such as `{ 'svc.gateway.port': '0', queueTimeoutMs: 50 }`. */
export type Settled = Readonly<Record<string, string | number>>;

/** The properties alone. */
export const propertiesOf = (settled: Settled): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(settled).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/**
 * Loaded settings with other constants; a name such as `limits.planDepth` leads into groups.
 *
 * @throws Error where there is no such constant
 */
export function withConstants<C extends object>(config: C, settled: Settled): C {
  let changed: object = config;
  for (const [name, value] of Object.entries(settled))
    if (typeof value === 'number') changed = replace(changed, name.split('.'), value);
  return changed as C;
}

function replace(group: object, [name = '', ...rest]: readonly string[], value: number): object {
  const member: unknown = Reflect.get(group, name);
  if (rest.length > 0 && typeof member === 'object' && member !== null)
    return { ...group, [name]: replace(member, rest, value) };
  if (typeof member !== 'number') throw new Error(`There is no constant ${name}`);
  return { ...group, [name]: value };
}
