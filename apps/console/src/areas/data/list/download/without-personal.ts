import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { type PathModel, type ResolvedPath, resolvePath, targetOf } from '@lintel/react';

/**
 * Leaves columns out that need a permission: personal attributes, and instances whose names have some
 * (contract/personal-data.md#masks).
 */
export function withoutPersonal(
  model: PathModel,
  entityName: string,
  columns: readonly ResolvedPath[],
): readonly ResolvedPath[] {
  const mayRead = (owner: string): boolean =>
    model.rights.has('personal.read') || model.rights.has(`personal.read.${rootOf(model, owner)}`);
  const isHidden = ({ owner, attribute }: Pick<ResolvedPath, 'owner' | 'attribute'>): boolean =>
    (attribute.personal === true && !mayRead(owner)) || isNamedByHidden(attribute);
  const isNamedByHidden = (attribute: DetailedAttributeInfo): boolean => {
    const target = targetOf(model, attribute);
    return target !== undefined && named(target).some(({ personal }) => personal) && !mayRead(target.entityName);
  };
  return columns.filter(({ path }) => {
    const names = path.split('.');
    return names.every((_, at) => {
      const step = resolvePath(model, entityName, names.slice(0, at + 1).join('.'));
      const isLast = at === names.length - 1;
      return step === undefined || !(isLast ? isHidden(step) : step.attribute.personal && !mayRead(step.owner));
    });
  });
}

const named = ({ nameAttributes, properties }: DetailedEntityInfo): readonly DetailedAttributeInfo[] =>
  properties.filter(({ name }) => nameAttributes.includes(name));

const rootOf = (model: PathModel, name: string): string => {
  const ancestor = model.entities.get(name)?.ancestor;
  return typeof ancestor === 'string' ? rootOf(model, ancestor) : name;
};
