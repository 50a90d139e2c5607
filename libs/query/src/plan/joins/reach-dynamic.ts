import {
  DYNAMIC_VALUE_COLUMNS,
  DYNAMIC_VALUE_TABLE,
  type DynamicAttribute,
  dynamicValueColumnOf,
  type Entity,
} from '@lintel/metadata';
import { keyPartsOf } from '../../ids/entity-id.ts';
import type { DatatypeType } from '../../literals/literal-type.ts';
import type { Visibility } from '../../secure/visibility.ts';
import type { Column, From, SqlCondition } from '../read-plan.ts';
import { type OpenedRows, openRows, type Row, type SameColumns } from '../row-source.ts';

/** The rows of the value table that belong to a dynamic attribute and an instance. */
export interface DynamicValues {
  readonly from: From;
  /** They belong to the instance: its key is stored as a text. */
  readonly link: SameColumns;
  /** They belong to the attribute. */
  readonly isOfAttribute: SqlCondition;
  readonly value: Column;
  readonly position: Column;
}

/** Reaches the values of a dynamic attribute from a row. */
export function reachDynamicValues(row: Row, attribute: DynamicAttribute): DynamicValues {
  const { model, aliases } = row.context;
  const alias = aliases.next();
  const column = (name: string): Column => ({ alias, name });
  return {
    from: { table: DYNAMIC_VALUE_TABLE, alias, joins: [] },
    link: { kind: 'same', left: column(DYNAMIC_VALUE_COLUMNS.owner), right: ownerKeyOf(row) },
    isOfAttribute: {
      kind: 'compare',
      column: column(DYNAMIC_VALUE_COLUMNS.attribute),
      operator: '=',
      parameter: { source: { kind: 'constant', value: attribute.id }, sqlType: 'uuid' },
    },
    value: column(dynamicValueColumnOf(model, attribute).name),
    position: column(DYNAMIC_VALUE_COLUMNS.position),
  };
}

/**
 * Reaches the instances that the values refer to: the visible ones; deleted ones are treated as for other references.
 *
 * @param where the conditions of the values, in their order
 */
export const reachDynamicTargets = (
  row: Row,
  { from, value }: DynamicValues,
  where: readonly SqlCondition[],
  target: Entity,
  visibility: Visibility,
): OpenedRows<SqlCondition> =>
  openRows<SqlCondition>(target, row.context, visibility, {
    deleted: 'shown',
    link: (source) => {
      // In the type of the key, so that its index is used.
      const comparedAs = keyTypeIn(source)?.comparedAs;
      const left = comparedAs === undefined ? value : { ...value, comparedAs };
      source.join('inner', { from, where: [{ kind: 'same', left, right: keyOf(source) }] });
      return where;
    },
  });

/** The key as values are stored with it: a text, in the normal form. */
const ownerKeyOf = (row: Row): Column =>
  keyTypeIn(row)?.equality === 'caseless' ? { ...keyOf(row), lowerCase: true } : { ...keyOf(row), readAs: 'text' };

function keyTypeIn({ context: { model }, entity }: Row): DatatypeType | undefined {
  const [part] = keyPartsOf(model, entity);
  return part?.type.kind === 'datatype' ? part.type : undefined;
}

function keyOf(row: Row): Column {
  const [key] = row.keyColumns();
  if (key === undefined) throw new Error(`${row.entity.name} has no key`);
  return key;
}
