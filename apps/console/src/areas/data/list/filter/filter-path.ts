import type { DetailedAttributeInfo } from '@lintel/client';
import { isToMany, type PathModel, type ResolvedPath, resolvePath, targetOf } from '@lintel/react';

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
    if (found === undefined) return length === names.length ? dynamicAt(model, entityName, names) : undefined;
    if (isJson(found.attribute)) return { ...found, path, base, inside: names.slice(length).join('.') };
    if (length === names.length) return { ...found, base, inside: undefined };
  }
  return undefined;
}

function dynamicAt(model: PathModel, entityName: string, names: readonly string[]): FilterPath | undefined {
  const path = names.join('.');
  const way = names.length === 1 ? undefined : resolvePath(model, entityName, names.slice(0, -1).join('.'));
  const owner = names.length === 1 ? model.entities.get(entityName) : way && targetOf(model, way.attribute);
  const attribute = owner?.dynamicProperties?.find(({ name }) => name === names.at(-1));
  if (owner === undefined || attribute === undefined) return undefined;
  if (attribute.attributeType !== 'DATATYPE' && targetOf(model, attribute) === undefined) return undefined;
  return {
    path,
    base: path,
    inside: undefined,
    owner: owner.entityName,
    attribute,
    caption: way === undefined ? attribute.description : `${way.caption} › ${attribute.description}`,
    isMany: way?.isMany === true || isToMany(attribute),
    isStored: way?.isStored !== false,
  };
}

/** The path of an attribute with a path inside of its JSON value. */
export const withInside = (base: string, inside: string): string =>
  inside.trim() === '' ? base : `${base}.${inside.trim()}`;
