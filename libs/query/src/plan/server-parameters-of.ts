import type { Entity, Model } from '@lintel/metadata';
import type { Condition } from '../ast/condition.ts';
import { walkCondition } from '../resolve/language/walk-bound.ts';
import { resolveCondition } from '../resolve/resolve-condition.ts';

/**
 * Names of the parameters of a policy's condition whose values the server fills in, subqueries included.
 *
 * @throws PlatformError or Error that names the invalid path, operator or value
 */
export function serverParametersOf(model: Model, entity: Entity, condition: Condition): readonly string[] {
  const names = new Set<string>();
  walkCondition(resolveCondition(model, entity, condition), { session: (name) => names.add(name) });
  return [...names];
}
