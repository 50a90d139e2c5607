import type { Entity, ReferenceAttribute } from '@lintel/metadata';
import type { BoundCondition } from '../resolve/bound-condition.ts';
import type { BoundSelect } from '../resolve/language/bound-select.ts';
import type { SecuredNode } from '../secure/secured-query.ts';
import { TRUSTED } from '../secure/visibility.ts';
import { reach } from './joins/plan-joins.ts';
import { PlanLevel } from './language/plan-level.ts';
import { planSelect } from './language/plan-select.ts';
import type { ObjectContext, PlanObject } from './objects/plan-object.ts';
import { planCondition } from './plan-condition.ts';
import type { ObjectPlan, SqlCondition } from './read-plan.ts';
import { openRows, type Row, type RowSource } from './row-source.ts';
import type { StatementContext } from './statement-context.ts';

// The only module that imports TRUSTED, the visibility that hides nothing. Each function has one importer and does one
// thing that must see all rows; none returns the visibility. The rule trusted-in-one-module has the list.

/** Plans a row condition. What it refers to is not hidden by further policies: it would not decide the same rows. */
export const planRowCondition = (condition: BoundCondition, source: RowSource): SqlCondition =>
  planCondition(condition, source, TRUSTED);

/** Plans what the predicates of a row read. The shape stage gives it to the predicates, and drops it. */
export const planPolicyObject = (
  read: SecuredNode,
  row: Row,
  context: ObjectContext,
  planObject: PlanObject,
): ObjectPlan => planObject(read, row, { ...context, visibility: TRUSTED, tokens: false, above: [], isWhole: true });

/** All targets of a reference. The shape stage compares their ids with those that are shown, and drops them. */
export const reachAllTargets = (row: Row, attribute: ReferenceAttribute): RowSource =>
  reach(row, attribute, '', TRUSTED).source;

/** Plans the condition of a policy to find out whether it can be planned; there is no caller and no statement. */
export function tryCondition(condition: BoundCondition, entity: Entity, context: StatementContext): void {
  const { source } = openRows(entity, context, TRUSTED, { deleted: 'shown' });
  planCondition(condition, source, TRUSTED);
}

/** Plans a query to find out whether it can be planned; there is no caller and no statement. */
export function trySelect(select: BoundSelect, context: StatementContext): void {
  planSelect(select, new PlanLevel(context, TRUSTED));
}
