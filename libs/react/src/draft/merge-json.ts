import { isObject } from './values.ts';

/** A merge patch (RFC 7396) of a JSON value. */
export interface JsonMerge {
  readonly patch: unknown;
  /** False: no merge patch leads to the value, since null in it would remove its member. */
  readonly isExact: boolean;
}

/** The patch that makes one JSON value of another. */
export function mergeJson(before: unknown, after: unknown): JsonMerge {
  if (!isObject(after)) return { patch: after, isExact: true };
  const from = isObject(before) ? before : {};
  const patch: Record<string, unknown> = {};
  let isExact = true;
  for (const name of Object.keys(from)) if (!(name in after)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (name in from && JSON.stringify(from[name]) === JSON.stringify(value)) continue;
    if (value === null) isExact = false;
    const nested = mergeJson(from[name], value);
    patch[name] = nested.patch;
    isExact &&= nested.isExact;
  }
  return { patch, isExact };
}
