import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { formatEntityId } from '@lintel/query';
import type { WriteRights } from '../scope/write-scope.ts';
import { idOf } from '../values/json-form.ts';

/**
 * Changing a stored instance requires its security token if one of the sent references, or a child's reference to its
 * parent, refers to an entity whose rows are limited by rules, whether or not a row is actually hidden
 * (contract/row-policies.md#security-token).
 */
export const tokenCheck =
  (model: Model, hidesRows: (entity: string) => boolean): WriteRights['assertToken'] =>
  (input, stored, parentPath) => {
    if (input.hiddenAtRead !== undefined) return;
    const names = [...input.values.keys(), ...input.children.keys(), ...(parentPath === undefined ? [] : [parentPath])];
    const isAsked = names.some((name) => {
      const attribute = stored.entity.attributes.get(name);
      return attribute?.kind === 'reference' && hidesRows(attribute.target);
    });
    if (!isAsked) return;
    const id = formatEntityId(model, stored.entity, idOf(model, stored.entity, stored.key));
    throw new PlatformError(
      'ACCESS_DENIED',
      `Could not read export/import token from entity ${stored.entity.name}-${id}.`,
    );
  };
