import { type Entity, embeddedPrefix, type ReferenceAttribute } from '@lintel/metadata';
import type { Value } from '../ast/condition.ts';
import { hasCompositeKey, keyPartsOf } from '../ids/entity-id.ts';
import { type LiteralType, parameterTypeOf } from '../literals/literal-type.ts';
import type { BoundCondition, BoundPath, LeafTest } from '../resolve/bound-condition.ts';
import { selfOf } from '../resolve/language/self.ts';
import type { Visibility } from '../secure/visibility.ts';
import { tellingColumns } from './embedded-columns.ts';
import { PlanLevel } from './language/plan-level.ts';
import { planTest } from './language/plan-test.ts';
import { listParameter, type Parameter, textParameter, valueParameter } from './parameter.ts';
import { joinOne, reach, reachElements } from './plan-joins.ts';
import type { Column, SqlCondition } from './read-plan.ts';
import { familyNames, RowSource, sameColumns } from './row-source.ts';

/**
 * Plans a condition over the rows of a source. To-one references become left joins of the source,
 * to-many references and element collections sub-selects (contract §2.6).
 *
 * @param source the rows that paths begin at; in a query, those of its variables do
 * @param visibility whose rows the joined and sub-selected tables show
 * @param within the query that the condition stands in
 */
export function planCondition(
  condition: BoundCondition,
  source: RowSource | undefined,
  visibility: Visibility,
  within?: PlanLevel,
): SqlCondition {
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or':
      return {
        kind: condition.kind,
        conditions: condition.conditions.map((part) => planCondition(part, source, visibility, within)),
      };
    case 'not':
      return { kind: 'not', condition: planCondition(condition.condition, source, visibility, within) };
    case 'descendant':
      return planDescendant(condition, rowOf(condition, source, within), visibility);
    case 'test':
      return new TestPlanner(condition.path, condition.test, visibility).plan(rowOf(condition, source, within), 0, '');
    default:
      return planTest(condition, within ?? levelOf(source, visibility));
  }
}

/** The row that a condition of a filter or policy is about. */
function rowOf(
  condition: Extract<BoundCondition, { kind: 'test' | 'descendant' }>,
  source: RowSource | undefined,
  within: PlanLevel | undefined,
): RowSource {
  const root = condition.kind === 'test' ? condition.path.root : condition.entity;
  const row = source ?? within?.sourceOf(selfOf(root));
  if (row === undefined) throw new Error(`There is no row of ${root.name}`);
  return row;
}

/** Tests of a policy are about the row itself. */
function levelOf(source: RowSource | undefined, visibility: Visibility): PlanLevel {
  if (source === undefined) throw new Error('A test needs a row');
  return new PlanLevel({ model: source.model, aliases: source.aliases, visibility }, undefined, source);
}

/** Whether what the path ends at is absent. */
export const planNullTest = (
  path: BoundPath,
  negated: boolean,
  source: RowSource,
  visibility: Visibility,
): SqlCondition => new TestPlanner(path, { kind: 'null', negated }, visibility).plan(source, 0, '');

function planDescendant(
  { entity, condition }: Extract<BoundCondition, { kind: 'descendant' }>,
  source: RowSource,
  visibility: Visibility,
): SqlCondition {
  const discriminator = source.discriminator();
  if (discriminator === undefined) throw new Error(`${source.entity.name} has no descendants`);
  const row = new RowSource(source.model, entity, source.aliases);
  const where = [...sameColumns(row.keyColumns(), source.keyColumns()), planCondition(condition, row, visibility)];
  const names = familyNames(source.model, entity);
  return {
    kind: 'or',
    conditions: [
      { kind: 'not', condition: { kind: 'named', column: discriminator, names } },
      { kind: 'exists', from: row.from, where },
    ],
  };
}

/** Plans one test along its path. */
class TestPlanner {
  readonly #path: BoundPath;
  readonly #test: LeafTest;
  readonly #visibility: Visibility;

  constructor(path: BoundPath, test: LeafTest, visibility: Visibility) {
    this.#path = path;
    this.#test = test;
    this.#visibility = visibility;
  }

  /** Goes on from step `at`; `prefix` is that of the embedded attributes passed since the last table. */
  plan(source: RowSource, at: number, prefix: string): SqlCondition {
    const step = this.#path.steps[at];
    if (step === undefined) return this.#leaf(source, prefix);
    if (step.attribute.kind === 'embedded') return this.plan(source, at + 1, embeddedPrefix(step.attribute, prefix));
    if (leadsToMany(step.attribute))
      return this.#some(source, step.attribute, prefix, (member) => this.plan(member, at + 1, ''));
    return this.plan(joinOne(source, step.attribute, prefix, this.#visibility), at + 1, '');
  }

  /** Some member keeps the test; a test for null holds for no members, too. */
  #some(
    source: RowSource,
    attribute: ReferenceAttribute,
    prefix: string,
    test: (member: RowSource) => SqlCondition,
  ): SqlCondition {
    const { source: member, where } = reach(source, attribute, prefix, this.#visibility, source);
    const some: SqlCondition = { kind: 'exists', from: member.from, where: [...where, test(member)] };
    if (!this.#asksForNull()) return some;
    const any = reach(source, attribute, prefix, this.#visibility, source);
    const none: SqlCondition = {
      kind: 'not',
      condition: { kind: 'exists', from: any.source.from, where: any.where },
    };
    return { kind: 'or', conditions: [none, some] };
  }

  #asksForNull(): boolean {
    return this.#test.kind === 'null' && !this.#test.negated;
  }

  #leaf(source: RowSource, prefix: string): SqlCondition {
    const { leaf } = this.#path;
    switch (leaf.kind) {
      case 'value':
        return scalarTest(only(source.columns(leaf.attribute, prefix)), leaf.type, this.#test);
      case 'embedded': {
        if (this.#test.kind === 'null') return this.#embeddedNull(source, prefix, this.#test.negated);
        return keyTest(source, leaf.owner, source.columns(leaf.attribute, prefix), this.#test);
      }
      case 'elements':
        return this.#elements(source);
      case 'reference':
        return this.#reference(source, prefix, leaf.attribute, leaf.target);
      default:
        return leaf satisfies never;
    }
  }

  #embeddedNull(source: RowSource, prefix: string, negated: boolean): SqlCondition {
    const { leaf } = this.#path;
    if (leaf.kind !== 'embedded') throw new Error(`${this.#path.text} is no embedded object`);
    const isKey = leaf.owner.key?.attribute === leaf.attribute.name;
    const columns = isKey
      ? source.columns(leaf.attribute, prefix)
      : tellingColumns(source.model, leaf.target, source, embeddedPrefix(leaf.attribute, prefix), this.#visibility);
    return columns.length === 0 ? { kind: 'constant', value: !negated } : { kind: 'null', columns, negated };
  }

  #elements(source: RowSource): SqlCondition {
    const { leaf } = this.#path;
    if (leaf.kind !== 'elements') throw new Error(`${this.#path.text} is no element collection`);
    const { from, where, value } = reachElements(source, leaf.attribute, source);
    if (this.#test.kind !== 'null')
      return { kind: 'exists', from, where: [...where, scalarTest(value, leaf.type, this.#test)] };
    const some: SqlCondition = { kind: 'exists', from, where };
    return this.#test.negated ? some : { kind: 'not', condition: some };
  }

  #reference(source: RowSource, prefix: string, attribute: ReferenceAttribute, target: Entity): SqlCondition {
    if (leadsToMany(attribute)) {
      const { source: member, where } = reach(source, attribute, prefix, this.#visibility, source);
      if (this.#test.kind !== 'null')
        return {
          kind: 'exists',
          from: member.from,
          where: [...where, keyTest(source, target, member.keyColumns(), this.#test)],
        };
      const some: SqlCondition = { kind: 'exists', from: member.from, where };
      return this.#test.negated ? some : { kind: 'not', condition: some };
    }
    // The foreign key tells of targets that the caller may not see, so it stands for them only where all are visible.
    const isDirect = attribute.owning && this.#visibility.rowsOf(target) === undefined;
    const columns = isDirect
      ? source.columns(attribute, prefix)
      : joinOne(source, attribute, prefix, this.#visibility).keyColumns();
    return this.#test.kind === 'null'
      ? { kind: 'null', columns, negated: this.#test.negated }
      : keyTest(source, target, columns, this.#test);
  }
}

const leadsToMany = ({ cardinality }: ReferenceAttribute): boolean =>
  cardinality === 'ONE_TO_MANY' || cardinality === 'MANY_TO_MANY';

function only(columns: readonly Column[]): Column {
  const [column] = columns;
  if (column === undefined || columns.length > 1) throw new Error('A single value needs one column');
  return column;
}

function scalarTest(column: Column, type: LiteralType, test: LeafTest): SqlCondition {
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
      return { source: { kind: 'input-key', index: value.index, entity, part }, sqlType: parameterTypeOf(type) };
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
          source: { kind: 'input-key-list', index: value.index, operator: value.operator, entity, part },
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
