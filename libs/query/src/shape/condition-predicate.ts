import { type Entity, entityOf, type Model } from '@lintel/metadata';
import type { RowPredicate, SessionValue } from '../access.ts';
import type { ComparisonOperator, Condition, TextOperator, Value } from '../ast/condition.ts';
import { hasCompositeKey } from '../ids/entity-id.ts';
import { type LiteralType, literalTypeOf } from '../literals/literal-type.ts';
import type { BoundCondition, BoundPath, LeafTest } from '../resolve/bound-condition.ts';
import { resolveCondition } from '../resolve/resolve-condition.ts';
import { type Comparable, comparableOf, compareValues } from './comparable.ts';

/** What a condition says of an instance: true, false, or nothing because a value is missing. */
type Verdict = boolean | null;
type Instance = Readonly<Record<string, unknown>>;
type Evaluate = (instance: Instance, session: SessionValue) => Verdict;

/**
 * A condition of the entity query language as a predicate that is tested in memory, with the three-valued
 * logic of SQL (decisions.md 59). Its paths go through embedded attributes and to-one references.
 *
 * @throws Error or PlatformError naming the path, operator or value that does not fit
 */
export function conditionPredicate(model: Model, entity: Entity, condition: Condition): RowPredicate {
  const paths = new Set<string>();
  const evaluate = evaluatorOf(model, resolveCondition(model, entity, condition), paths);
  return Object.freeze({
    dependsOn: Object.freeze([...paths]),
    test: (instance: Instance, session: SessionValue) => evaluate(instance, session) === true,
  });
}

function evaluatorOf(model: Model, condition: BoundCondition, paths: Set<string>): Evaluate {
  switch (condition.kind) {
    case 'constant':
      return () => condition.value;
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => evaluatorOf(model, part, paths));
      return junction(parts, condition.kind === 'or');
    }
    case 'not': {
      const inner = evaluatorOf(model, condition.condition, paths);
      return (instance, session) => not(inner(instance, session));
    }
    case 'test':
      return testEvaluator(model, condition.path, condition.test, paths);
    case 'descendant':
      throw new Error('A predicate cannot ask for an instance of a descendant');
    default:
      throw new Error('A predicate compares attributes of the instance with values, and nothing else');
  }
}

const not = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);

/** All or some of the parts hold; `deciding` is the verdict of one that settles the matter. */
const junction =
  (parts: readonly Evaluate[], deciding: boolean): Evaluate =>
  (instance, session) => {
    let result: Verdict = !deciding;
    for (const part of parts) {
      const verdict = part(instance, session);
      if (verdict === deciding) return deciding;
      if (verdict === null) result = null;
    }
    return result;
  };

function testEvaluator(model: Model, path: BoundPath, test: LeafTest, paths: Set<string>): Evaluate {
  const type = comparedType(model, path);
  const names = path.text.split('.');
  if (path.leaf.kind === 'reference') names.push('id');
  paths.add(path.text);
  const read = (instance: Instance): unknown =>
    names.reduce<unknown>((value, name) => (value as Instance | null)?.[name] ?? null, instance);
  switch (test.kind) {
    case 'null':
      return (instance) => (read(instance) === null) !== test.negated;
    case 'comparison': {
      const value = operand(test.value, type);
      const holds = COMPARISONS[test.operator];
      return (instance, session) => {
        const [left, right] = [comparableOf(read(instance), type), value(session)];
        return left === null || right === null ? null : holds(compareValues(left, right));
      };
    }
    case 'text': {
      const value = operand(test.value, TEXT);
      return (instance, session) => {
        const [left, right] = [comparableOf(read(instance), TEXT), value(session)];
        if (left === null || right === null) return null;
        return textHolds(test.operator, String(left).toLowerCase(), String(right).toLowerCase());
      };
    }
    case 'in': {
      const values = test.values.map((value) => operand(value, type));
      return (instance, session) => {
        const verdict = isAmong(
          comparableOf(read(instance), type),
          values.map((value) => value(session)),
        );
        return test.negated ? not(verdict) : verdict;
      };
    }
    default:
      return test satisfies never;
  }
}

const TEXT: LiteralType = { kind: 'datatype', datatype: 'string' };

const COMPARISONS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

function textHolds(operator: TextOperator, text: string, searched: string): boolean {
  switch (operator) {
    case 'contains':
      return text.includes(searched);
    case 'doesNotContain':
      return !text.includes(searched);
    case 'startsWith':
      return text.startsWith(searched);
    case 'endsWith':
      return text.endsWith(searched);
    default:
      return operator satisfies never;
  }
}

function isAmong(value: Comparable | null, among: readonly (Comparable | null)[]): Verdict {
  if (among.length === 0) return false;
  if (value === null) return null;
  if (among.some((other) => other !== null && compareValues(value, other) === 0)) return true;
  return among.includes(null) ? null : false;
}

/** The other side of a test: constants are read once, what the session holds each time. */
function operand(value: Value | { readonly kind: 'input-list' }, type: LiteralType) {
  switch (value.kind) {
    case 'literal': {
      const constant = comparableOf(value.value, type);
      return (): Comparable | null => constant;
    }
    case 'parameter':
      return (session: SessionValue): Comparable | null => sessionOperand(session(value.name), type);
    case 'input':
    case 'input-list':
      throw new Error('A policy has no values of a request');
    default:
      return value satisfies never;
  }
}

/** What the caller does not have, or has in another form, is compared with nothing: the test is undecided. */
function sessionOperand(value: unknown, type: LiteralType): Comparable | null {
  try {
    return comparableOf(value, type);
  } catch {
    return null;
  }
}

/** What the end of the path is compared as: of a reference, the target's key. */
function comparedType(model: Model, { text, steps, leaf }: BoundPath): LiteralType {
  const toMany = steps.find(({ attribute }) => attribute.kind === 'reference' && isMany(attribute.cardinality));
  if (toMany !== undefined || (leaf.kind === 'reference' && isMany(leaf.attribute.cardinality)))
    throw new Error(`${text} leads to many instances: a predicate reads the instance and its to-one references`);
  switch (leaf.kind) {
    case 'value':
      return leaf.type;
    case 'reference': {
      const target = entityOf(model, leaf.target.name);
      const key = hasCompositeKey(target) ? undefined : target.attributes.get(target.key?.attribute ?? '');
      const type = key === undefined ? undefined : literalTypeOf(model, key);
      if (type === undefined) throw new Error(`${text} refers to an entity with a composite key`);
      return type;
    }
    case 'elements':
    case 'embedded':
      throw new Error(`${text} has no single value that a predicate could test`);
    default:
      return leaf satisfies never;
  }
}

const isMany = (cardinality: string): boolean => cardinality.endsWith('TO_MANY');
