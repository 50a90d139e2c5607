import {
  DYNAMIC_VALUE_COLUMNS,
  DYNAMIC_VALUE_TABLE,
  type DynamicAttribute,
  dynamicDatatypeOf,
  dynamicMemberOf,
  dynamicValueColumnOf,
} from '@lintel/metadata';
import type { SecuredDynamicAttribute, SecuredNode } from '../secure/secured-query.ts';
import type { ObjectContext, PlanObject } from './plan-object.ts';
import type { Column, ColumnFormat, MemberPlan, Rows, ValuePlan } from './read-plan.ts';
import { openRows, type Row } from './row-source.ts';

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
  const values = reachValues(attribute, row);
  const datatype = dynamicDatatypeOf(attribute.type);
  if (datatype !== undefined) {
    const { from, where, value, position } = values;
    const format: ColumnFormat = { kind: 'datatype', datatype };
    return attribute.collection
      ? { kind: 'elements', name: attribute.code, from, where, orderBy: position, value, format, orNull: true }
      : { kind: 'scalar', from, where, value, format };
  }
  if (node === undefined) throw new Error(`The dynamic attribute ${attribute.code} has no node`);
  return planTarget(attribute, node, values, row, context, planObject);
}

interface Values extends Rows {
  readonly value: Column;
  readonly position: Column;
}

/** The rows of the value table that belong to the attribute and the instance. */
function reachValues(attribute: DynamicAttribute, row: Row): Values {
  const { model, aliases } = row.context;
  const alias = aliases.next();
  const column = (name: string): Column => ({ alias, name });
  const [key] = row.keyColumns();
  if (key === undefined) throw new Error(`${row.entity.name} has no key`);
  return {
    from: { table: DYNAMIC_VALUE_TABLE, alias, joins: [] },
    where: [
      {
        kind: 'compare',
        column: column(DYNAMIC_VALUE_COLUMNS.attribute),
        operator: '=',
        parameter: { source: { kind: 'constant', value: attribute.id }, sqlType: 'uuid' },
      },
      { kind: 'key-text', text: column(DYNAMIC_VALUE_COLUMNS.owner), key },
    ],
    value: column(dynamicValueColumnOf(model, attribute).name),
    position: column(DYNAMIC_VALUE_COLUMNS.position),
  };
}

/** The referenced instances, by their identity; deleted ones are treated as for other references. */
function planTarget(
  { collection, code }: DynamicAttribute,
  node: SecuredNode,
  values: Values,
  row: Row,
  context: ObjectContext,
  planObject: PlanObject,
): ValuePlan {
  const { source } = openRows(node.entity, row.context, context.visibility, {
    deleted: 'shown',
    link: (target) => {
      const [key] = target.keyColumns();
      if (key === undefined) throw new Error(`${node.entity.name} has no key`);
      target.join('inner', { from: values.from, where: [{ kind: 'same', left: values.value, right: key }] });
      return values.where;
    },
  });
  // The identity is all there is: an instance that is its own ancestor needs no shorter form.
  const object = planObject(node, source, { ...context, above: [] });
  return collection
    ? { kind: 'many', name: code, ...source.rows, orderBy: [values.position], object, orNull: true }
    : { kind: 'one', ...source.rows, object };
}
