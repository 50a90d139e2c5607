import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { formatEntityId } from '@lintel/query';
import type { WriteRights } from '../scope/write-scope.ts';
import { idOf } from '../values/json-form.ts';

/**
 * A stored instance is changed with its security token where one of the sent references, or a child's
 * reference to its parent, leads to an entity whose rows are hidden by rules; whether any is does not
 * matter (contract/row-policies.md#security-token).
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
