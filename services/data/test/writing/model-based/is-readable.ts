import { type Attribute, entityOf, type Model } from '@lintel/metadata';
import type { Body } from './generate-write.ts';
import { familyOf, isMany } from './world.ts';

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether every member of the body has the kind of its attribute, at every level. */
export function isReadable(model: Model, declaredName: string, body: unknown): boolean {
  if (!isObject(body)) return false;
  const named = body['_entityName'] ?? declaredName;
  if (typeof named !== 'string' || !familyOf(model, declaredName).includes(named)) return false;
  return [...entityOf(model, named).attributes.values()].every((attribute) => {
    const value = body[attribute.name];
    return value === undefined || attribute.name === 'id' || hasKind(model, attribute, value);
  });
}

function hasKind(model: Model, attribute: Attribute, value: unknown): boolean {
  switch (attribute.kind) {
    case 'embedded':
      return isReadable(model, attribute.target, value);
    case 'elements':
      return value === null || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
    case 'reference':
      if (attribute.composition && isMany(attribute)) return isCollection(model, attribute.target, value);
      if (attribute.composition) return value === null || isReadable(model, attribute.target, value);
      // A member without an id is refused before the following members are parsed.
      if (isMany(attribute)) return value === null || Array.isArray(value);
      return value === null || isObject(value);
    default:
      return value === null || !(Array.isArray(value) || isObject(value));
  }
}

function isCollection(model: Model, target: string, value: unknown): boolean {
  if (!Array.isArray(value) || !value.every((item) => isReadable(model, target, item))) return false;
  const ids = (value as readonly Body[]).flatMap(({ id }) => (id === undefined ? [] : [id]));
  return new Set(ids).size === ids.length;
}
