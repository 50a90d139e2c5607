import type { DetailedAttributeInfo } from '@lintel/client';
import { type PathModel, type ResolvedPath, resolvePath } from '@lintel/react';
import { resolveDynamic } from '../../paths/resolve-dynamic.ts';

/** A path of a condition. Filters also know what is inside of JSON, and dynamic attributes. */
export interface FilterPath extends ResolvedPath {
  /** The path up to the attribute. */
  readonly base: string;
  /** Names of members and indexes of elements in the value of a JSON attribute: `address.city`; "" for the value itself. */
  readonly inside: string | undefined;
}

export const isJson = ({ attributeType, type }: DetailedAttributeInfo): boolean =>
  attributeType === 'DATATYPE' && type === 'json';

/** What the path of a condition leads to; undefined if there is nothing, or nothing that the user may see. */
export function resolveFilterPath(model: PathModel, entityName: string, path: string): FilterPath | undefined {
  const names = path.split('.');
  for (let length = 1; length <= names.length; length++) {
    const base = names.slice(0, length).join('.');
    const found = resolvePath(model, entityName, base);
    if (found === undefined) {
      const dynamic = length === names.length ? resolveDynamic(model, entityName, path) : undefined;
      return dynamic && { ...dynamic, base: path, inside: undefined };
    }
    if (isJson(found.attribute)) return { ...found, path, base, inside: names.slice(length).join('.') };
    if (length === names.length) return { ...found, base, inside: undefined };
  }
  return undefined;
}

/** The path of an attribute with a path inside of its JSON value. */
export const withInside = (base: string, inside: string): string =>
  inside.trim() === '' ? base : `${base}.${inside.trim()}`;
