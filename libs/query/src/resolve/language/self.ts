import type { Entity } from '@lintel/metadata';
import { SELF_NAME } from '../../parse/language/node.ts';
import type { Variable } from './bound-expression.ts';

const known = new WeakMap<Entity, Variable>();

/** The variable of the instance that a policy on the entity is about; always the same one. */
export function selfOf(entity: Entity): Variable {
  const found = known.get(entity) ?? Object.freeze({ name: SELF_NAME, entity });
  known.set(entity, found);
  return found;
}
