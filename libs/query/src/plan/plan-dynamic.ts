import {
  DYNAMIC_VALUE_COLUMNS,
  DYNAMIC_VALUE_TABLE,
  type DynamicAttribute,
  dynamicDatatypeOf,
  dynamicMemberOf,
  dynamicValueColumnOf,
} from '@lintel/metadata';
import type { SecuredDynamicAttribute, SecuredNode } from '../secure/secured-query.ts';
import { visibleRows } from './plan-joins.ts';
import { type ObjectContext, planObject } from './plan-object.ts';
import type { Column, ColumnFormat, From, MemberPlan, SqlCondition, ValuePlan } from './read-plan.ts';
import { type Row, RowSource } from './row-source.ts';

/**
 * Plans the members of dynamic attributes: sub-selects of their value table. Absent values are null, lists
 * without elements too.
 */
export const planDynamic = (node: SecuredNode, row: Row, context: ObjectContext): readonly MemberPlan[] =>
  node.dynamic.map((dynamic) => ({
    name: dynamicMemberOf(dynamic.attribute),
    value: planValue(dynamic, row, context),
  }));

function planValue({ attribute, node }: SecuredDynamicAttribute, row: Row, context: ObjectContext): ValuePlan {
  const values = reachValues(attribute, row, context);
  const datatype = dynamicDatatypeOf(attribute.type);
  if (datatype !== undefined) {
    const { from, where, value, position } = values;
    const format: ColumnFormat = { kind: 'datatype', datatype };
    return attribute.collection
      ? { kind: 'elements', from, where, orderBy: position, value, format, orNull: true }
      : { kind: 'scalar', from, where, value, format };
  }
  if (node === undefined) throw new Error(`The dynamic attribute ${attribute.code} has no node`);
  return planTarget(attribute, node, values, context);
}

interface Values {
  readonly from: From;
  readonly where: readonly SqlCondition[];
  readonly value: Column;
  readonly position: Column;
}

/** The rows of the value table that belong to the attribute and the instance. */
function reachValues(attribute: DynamicAttribute, row: Row, { model, aliases }: ObjectContext): Values {
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

/** The instances referred to, by their identity; deleted ones are shown as those of other references. */
function planTarget(
  { collection }: DynamicAttribute,
  node: SecuredNode,
  values: Values,
  context: ObjectContext,
): ValuePlan {
  const { model, aliases, visibility } = context;
  const source = new RowSource(model, node.entity, aliases);
  const [key] = source.keyColumns();
  if (key === undefined) throw new Error(`${node.entity.name} has no key`);
  source.from.joins.push({ kind: 'inner', from: values.from, on: [{ kind: 'same', left: values.value, right: key }] });
  const where = [...values.where, ...visibleRows(source, visibility)];
  // The identity is all there is: an instance that is its own ancestor needs no shorter form.
  const object = planObject(node, source, { ...context, above: [] });
  return collection
    ? { kind: 'many', from: source.from, where, orderBy: [values.position], object, orNull: true }
    : { kind: 'one', from: source.from, where, object };
}
