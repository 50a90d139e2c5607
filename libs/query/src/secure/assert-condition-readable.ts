import { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { ReadAccess } from '../access.ts';
import type { Condition } from '../ast/condition.ts';
import { walkCondition } from '../resolve/language/walk-bound.ts';
import { resolveCondition } from '../resolve/resolve-condition.ts';
import { requestingLogin } from './request-login.ts';
import { assertConditionVisible, assertEntityReadable } from './secure-paths.ts';
import { visibilityOf } from './visibility.ts';

/**
 * Refuses the condition of a row-level policy as a filter of its author would be refused: policies see all rows and
 * attributes, so the result would disclose what the author may not read. Row conditions of the author cannot be added to
 * a policy; an entity that has some may be the policy's own, and no other.
 *
 * @throws PlatformError ACCESS_READ_DENIED naming entity and attribute, or AUTH_STEP_UP_REQUIRED
 */
export const assertConditionReadable = (model: Model, entity: Entity, condition: Condition, access: ReadAccess): void =>
  requestingLogin(access, (given) => {
    const visibility = visibilityOf(model, given);
    assertEntityReadable(entity, visibility);
    const bound = resolveCondition(model, entity, condition);
    assertConditionVisible(model, bound, visibility);
    const assertUnrestricted = (reached: Entity): void => {
      if (visibility.rowsOf(reached) !== undefined)
        throw new PlatformError('ACCESS_READ_DENIED', `A row-level policy of the ${reached.name} limits its author`);
    };
    walkCondition(bound, {
      range: (variable) => assertUnrestricted(variable.entity),
      path: ({ steps, leaf }) => {
        for (const { target } of steps) assertUnrestricted(target);
        if (leaf.kind === 'reference') assertUnrestricted(leaf.target);
      },
    });
  });
