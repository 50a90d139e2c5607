import { isToMany, type PathModel, type ResolvedPath, resolvePath, targetOf } from '@lintel/react';

/** Whether a path ends at a dynamic attribute: `customer.+vip`. */
export const isDynamic = (path: string): boolean => path.slice(path.lastIndexOf('.') + 1).startsWith('+');

/** The dynamic attribute that a path leads to; undefined if there is none, or none that the user may see. */
export function resolveDynamic(model: PathModel, entityName: string, path: string): ResolvedPath | undefined {
  const names = path.split('.');
  const way = names.length === 1 ? undefined : resolvePath(model, entityName, names.slice(0, -1).join('.'));
  const owner = names.length === 1 ? model.entities.get(entityName) : way && targetOf(model, way.attribute);
  const attribute = owner?.dynamicProperties?.find(({ name }) => name === names.at(-1));
  if (owner === undefined || attribute === undefined) return undefined;
  if (attribute.attributeType !== 'DATATYPE' && targetOf(model, attribute) === undefined) return undefined;
  return {
    path,
    owner: owner.entityName,
    attribute,
    caption: way === undefined ? attribute.description : `${way.caption} › ${attribute.description}`,
    isMany: way?.isMany === true || isToMany(attribute),
    isStored: way?.isStored !== false,
  };
}

/**
 * The attribute of a column; undefined if a row has several of it, or none that the user may see. The values of a
 * dynamic collection are one text.
 */
export function resolveColumn(model: PathModel, entityName: string, path: string): ResolvedPath | undefined {
  if (!isDynamic(path)) {
    const found = resolvePath(model, entityName, path);
    return found?.isMany === true ? undefined : found;
  }
  const way = path.includes('.') ? resolvePath(model, entityName, path.slice(0, path.lastIndexOf('.'))) : undefined;
  return way?.isMany === true ? undefined : resolveDynamic(model, entityName, path);
}
