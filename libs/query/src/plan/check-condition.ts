import type { Entity, Model } from '@lintel/metadata';
import type { Condition } from '../ast/condition.ts';
import type { BoundSelect } from '../resolve/language/bound-select.ts';
import { walkCondition } from '../resolve/language/walk-bound.ts';
import { resolveCondition } from '../resolve/resolve-condition.ts';
import { createStatementContext } from './create-statement-context.ts';
import { tryCondition } from './trusted.ts';

/**
 * Checks a policy's condition against the model when it is loaded, so that no request meets a policy that
 * cannot be compiled.
 *
 * @throws PlatformError or Error that names the invalid path, operator or value
 */
export function checkCondition(model: Model, entity: Entity, condition: Condition): void {
  const bound = resolveCondition(model, entity, condition);
  walkCondition(bound, { scalar: assertOneRow });
  tryCondition(bound, entity, createStatementContext(model));
}

/** A policy must never fail because of the data: its subqueries return one row for any content of the tables. */
function assertOneRow({ grouped, groupBy }: BoundSelect): void {
  if (!grouped || groupBy.length > 0)
    throw new Error('A subquery that stands for a value must be a single aggregate: it could have several rows');
}
