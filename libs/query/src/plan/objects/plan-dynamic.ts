import { dynamicDatatypeOf, dynamicMemberOf } from '@lintel/metadata';
import type { SecuredDynamicAttribute, SecuredNode } from '../../secure/secured-query.ts';
import { reachDynamicTargets, reachDynamicValues } from '../joins/reach-dynamic.ts';
import type { ColumnFormat, MemberPlan, ValuePlan } from '../read-plan.ts';
import type { Row } from '../row-source.ts';
import type { ObjectContext, PlanObject } from './plan-object.ts';

/**
 * Plans the members of dynamic attributes: sub-selects of their value table. Absent values are null, lists
 * without elements too.
 */
export const planDynamic = (
  node: SecuredNode,
  row: Row,
  context: ObjectContext,
  planObject: PlanObject,
): readonly MemberPlan[] =>
  node.dynamic.map((dynamic) => ({
    name: dynamicMemberOf(dynamic.attribute),
    value: planValue(dynamic, row, context, planObject),
  }));

function planValue(
  { attribute, node }: SecuredDynamicAttribute,
  row: Row,
  context: ObjectContext,
  planObject: PlanObject,
): ValuePlan {
  const values = reachDynamicValues(row, attribute);
  const { from, link, isOfAttribute, value, position } = values;
  const where = [isOfAttribute, link];
  const datatype = dynamicDatatypeOf(attribute.type);
  if (datatype !== undefined) {
    const format: ColumnFormat = { kind: 'datatype', datatype };
    return attribute.collection
      ? { kind: 'elements', name: attribute.code, from, where, orderBy: position, value, format, orNull: true }
      : { kind: 'scalar', from, where, value, format };
  }
  if (node === undefined) throw new Error(`The dynamic attribute ${attribute.code} has no node`);
  const { source } = reachDynamicTargets(row, values, where, node.entity, context.visibility);
  // The identity is all there is: an instance that is its own ancestor needs no shorter form.
  const object = planObject(node, source, { ...context, above: [] });
  return attribute.collection
    ? { kind: 'many', name: attribute.code, ...source.rows, orderBy: [position], object, orNull: true }
    : { kind: 'one', ...source.rows, object };
}
