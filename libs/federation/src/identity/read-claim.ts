/** Claims of a verified token, or attributes of a directory. */
export type Claims = Readonly<Record<string, unknown>>;

/** The value of a claim: of exactly that name, else at the path of names between dots. */
export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** The texts of a claim that is a text or a list; undefined if it is neither. Other items of a list do not count. */
export function textsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}
