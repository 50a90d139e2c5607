import { ValidationError } from '@lintel/client';

/** The attribute of the instance that a path of a violation begins with: `lines` of `lines[0].quantity`. */
const attributeOf = (path: string): string => path.split(/[.[]/)[0] ?? '';

/** The messages of a validation error by the attributes that they belong to, the first of each; none of other errors. */
export function violationsOf(error: unknown): ReadonlyMap<string, string> {
  const items = error instanceof ValidationError ? error.items : [];
  return new Map(items.toReversed().map(({ path, message }) => [attributeOf(path), message]));
}
