import { type Entity, embeddedPrefix } from '@lintel/metadata';
import type { Value } from '../../ast/condition.ts';
import { hasCompositeKey, keyPartsOf } from '../../ids/entity-id.ts';
import { type LiteralType, parameterTypeOf } from '../../literals/literal-type.ts';
import type { BoundMember, EmbeddedTest, LeafTest, PathLeaf } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { nonNullColumns } from '../joins/embedded-columns.ts';
import { joinOne } from '../joins/plan-joins.ts';
import { listParameter, listSourceOf, type Parameter, sourceOf, textParameter, valueParameter } from '../parameter.ts';
import type { Column, SqlCondition } from '../read-plan.ts';
import type { RowSource } from '../row-source.ts';
import { jsonTest } from './plan-json-test.ts';
import { planTree } from './plan-tree.ts';

/** Plans the test at the end of a path, in the row that has the tested attribute. */
export function planLeaf(
  leaf: PathLeaf,
  test: LeafTest,
  source: RowSource,
  prefix: string,
  visibility: Visibility,
): SqlCondition {
  switch (leaf.kind) {
    case 'value':
      if (test.kind === 'tree') return treeTest(test, source.columns(leaf.attribute, prefix), source, visibility);
      return valueTest(leaf, only(source.columns(leaf.attribute, prefix)), test);
    case 'embedded': {
      if (test.kind === 'null') return embeddedNull(leaf, source, prefix, visibility, test.negated);
      if (test.kind === 'embedded') return embeddedTest(leaf, test, source, prefix, visibility);
      return keyTest(source, leaf.owner, source.columns(leaf.attribute, prefix), test);
    }
    case 'reference': {
      const { attribute, target } = leaf;
      // The foreign key discloses targets that the caller may not see, so it is used for them only if all are visible.
      const isDirect = attribute.owning && visibility.rowsOf(target) === undefined;
      const columns = isDirect
        ? source.columns(attribute, prefix)
        : joinOne(source, attribute, prefix, visibility).keyColumns();
      return test.kind === 'null'
        ? { kind: 'null', columns, negated: test.negated }
        : instanceTest(source, target, columns, test, visibility);
    }
    case 'elements':
      throw new Error(`${leaf.attribute.name} is no single value`);
    default:
      return leaf satisfies never;
  }
}

/** Tests the instance of `entity` with these key columns: its key, or where it is in a tree. */
export const instanceTest = (
  source: RowSource,
  entity: Entity,
  columns: readonly Column[],
  test: LeafTest,
  visibility: Visibility,
): SqlCondition =>
  test.kind === 'tree' ? treeTest(test, columns, source, visibility) : keyTest(source, entity, columns, test);

function treeTest(
  test: Extract<LeafTest, { kind: 'tree' }>,
  columns: readonly Column[],
  { context }: RowSource,
  visibility: Visibility,
): SqlCondition {
  const { value } = test;
  return planTree(test, { kind: 'column', column: only(columns) }, { context, visibility, isFixed: true }, (source) =>
    keyTest(source, source.entity, source.keyColumns(), { kind: 'comparison', operator: '=', value }),
  );
}

function valueTest(
  { type, inside = [] }: Extract<PathLeaf, { kind: 'value' }>,
  column: Column,
  test: LeafTest,
): SqlCondition {
  const condition = scalarTest(column, type, test);
  return type.kind === 'datatype' && type.datatype === 'json' ? jsonTest(condition, inside) : condition;
}

function embeddedNull(
  leaf: Extract<PathLeaf, { kind: 'embedded' }>,
  source: RowSource,
  prefix: string,
  visibility: Visibility,
  negated: boolean,
): SqlCondition {
  const isKey = leaf.owner.key?.attribute === leaf.attribute.name;
  const columns = isKey
    ? source.columns(leaf.attribute, prefix)
    : nonNullColumns(source.model, leaf.target, source, embeddedPrefix(leaf.attribute, prefix), visibility);
  return columns.length === 0 ? { kind: 'constant', value: !negated } : { kind: 'null', columns, negated };
}

/** An absent object is no value, so negations do not find it; in an object, an attribute without a value differs. */
function embeddedTest(
  leaf: Extract<PathLeaf, { kind: 'embedded' }>,
  { objects, negated }: EmbeddedTest,
  source: RowSource,
  prefix: string,
  visibility: Visibility,
): SqlCondition {
  const within = embeddedPrefix(leaf.attribute, prefix);
  const equal = anyOf(
    false,
    objects.map((members) => anyOf(true, rowsTogether(equalities(members, source, within, visibility)))),
  );
  if (!negated) return equal;
  if (objects.length === 0) return { kind: 'constant', value: true };
  const present = embeddedNull(leaf, source, prefix, visibility, true);
  return { kind: 'and', conditions: [present, { kind: 'not-true', condition: equal }] };
}

const equalities = (
  members: readonly BoundMember[],
  source: RowSource,
  prefix: string,
  visibility: Visibility,
): readonly SqlCondition[] =>
  members.flatMap((member) => {
    const { leaf } = member.path;
    if (member.kind === 'members')
      return leaf.kind === 'embedded'
        ? equalities(member.members, source, embeddedPrefix(leaf.attribute, prefix), visibility)
        : [];
    return [planLeaf(leaf, equalityOf(member), source, prefix, visibility)];
  });

function equalityOf(member: Exclude<BoundMember, { kind: 'members' }>): LeafTest {
  if (member.kind === 'null') return { kind: 'null', negated: false };
  const { value } = member;
  return value.kind === 'input-list'
    ? { kind: 'in', negated: false, values: [value] }
    : { kind: 'comparison', operator: '=', value };
}

/** Lists of several attributes are those of the same objects. */
function rowsTogether(conditions: readonly SqlCondition[]): readonly SqlCondition[] {
  const lists = conditions.filter((condition) => condition.kind === 'any' || condition.kind === 'row-any');
  if (lists.length < 2) return conditions;
  return [
    {
      kind: 'row-any',
      columns: lists.flatMap((list) => (list.kind === 'any' ? [list.column] : list.columns)),
      negated: false,
      parameters: lists.flatMap((list) => (list.kind === 'any' ? [list.parameter] : list.parameters)),
    },
    ...conditions.filter((condition) => !lists.some((list) => list === condition)),
  ];
}

function only(columns: readonly Column[]): Column {
  const [column] = columns;
  if (column === undefined || columns.length > 1) throw new Error('A single value needs one column');
  return column;
}

/** Tests the value of a column. */
export function scalarTest(column: Column, type: LiteralType, test: LeafTest): SqlCondition {
  switch (test.kind) {
    case 'comparison':
      return { kind: 'compare', column, operator: test.operator, parameter: valueParameter(test.value, type) };
    case 'text':
      return test.operator === 'startsWith'
        ? {
            kind: 'prefix',
            column,
            first: textParameter(test.value, 'startsWith'),
            end: textParameter(test.value, 'end'),
          }
        : {
            kind: 'like',
            column,
            negated: test.operator === 'doesNotContain',
            parameter: textParameter(test.value, test.operator),
          };
    case 'in':
      return anyOf(
        test.negated,
        test.values.map((value) =>
          value.kind === 'input-list'
            ? { kind: 'any', column, negated: test.negated, parameter: listParameter(value, type) }
            : {
                kind: 'compare',
                column,
                operator: test.negated ? '<>' : '=',
                parameter: valueParameter(value, type),
              },
        ),
      );
    case 'null':
      return { kind: 'null', columns: [column], negated: test.negated };
    case 'embedded':
    case 'tree':
      throw new Error(`A single value has no ${test.kind} test`);
    default:
      return test satisfies never;
  }
}

const anyOf = (negated: boolean, conditions: readonly SqlCondition[]): SqlCondition =>
  conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: negated ? 'and' : 'or', conditions };

/** Compares the key columns of `entity` with what refers to an instance of it. */
function keyTest(
  { model }: Pick<RowSource, 'model'>,
  entity: Entity,
  columns: readonly Column[],
  test: LeafTest,
): SqlCondition {
  const parts = keyPartsOf(model, entity);
  const partParameter = (value: Value, part: number): Parameter => {
    const type = parts[part]?.type;
    if (type === undefined) throw new Error(`The key of ${entity.name} has no part ${part}`);
    if (value.kind === 'input')
      return { source: { kind: 'input-key', ...sourceOf(value), entity, part }, sqlType: parameterTypeOf(type) };
    if (hasCompositeKey(entity)) throw new Error(`${entity.name} has a composite key: compare its parts`);
    return valueParameter(value, type);
  };
  const equals = (value: Value, negated: boolean): SqlCondition => {
    const pairs = columns.map(
      (column, part): SqlCondition => ({
        kind: 'compare',
        column,
        operator: negated && columns.length === 1 ? '<>' : '=',
        parameter: partParameter(value, part),
      }),
    );
    const all = anyOf(true, pairs);
    return negated && columns.length > 1 ? { kind: 'not', condition: all } : all;
  };
  if (test.kind === 'comparison') return equals(test.value, test.operator === '<>');
  if (test.kind !== 'in') throw new Error(`A key has no ${test.kind} test`);
  return anyOf(
    test.negated,
    test.values.map((value): SqlCondition => {
      if (value.kind !== 'input-list') return equals(value, test.negated);
      const parameters = parts.map(
        ({ type }, part): Parameter => ({
          source: { kind: 'input-key-list', ...listSourceOf(value), entity, part },
          sqlType: `${parameterTypeOf(type)}[]`,
        }),
      );
      const [column] = columns;
      const [parameter] = parameters;
      return columns.length === 1 && column !== undefined && parameter !== undefined
        ? { kind: 'any', column, negated: test.negated, parameter }
        : { kind: 'row-any', columns, negated: test.negated, parameters };
    }),
  );
}
