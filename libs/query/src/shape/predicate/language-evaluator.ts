import { familyOf, type Model } from '@lintel/metadata';
import type { SessionValue } from '../../access.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import type { BoundLanguageCondition } from '../../resolve/bound-condition.ts';
import type { BoundExpression, ValueType } from '../../resolve/language/bound-expression.ts';
import { type Comparable, comparableOf, type ExactDecimal } from './comparable.ts';
import { isLike } from './like-pattern.ts';
import { pathReader } from './read-path.ts';
import { compared, type Evaluate, type Instance, isAmong, not, sessionOperand } from './verdict.ts';

type Compute = (instance: Instance, session: SessionValue) => Comparable | null;

/**
 * What only the entity query language can say, tested in memory: relations of expressions, `like`, `in` and
 * `is null`, over attributes, constants, parameters of the caller and functions of texts.
 *
 * @throws Error for what needs the database: collections, subqueries, arithmetic, the time
 */
export function languageEvaluator(model: Model, condition: BoundLanguageCondition, paths: Set<string>): Evaluate {
  const computeOf = (expression: BoundExpression): Compute => computed(model, expression, paths);
  switch (condition.kind) {
    case 'relation': {
      if (condition.quantifier !== undefined) throw unsupported('a subquery');
      const [left, right] = [computeOf(condition.left), computeOf(condition.right)];
      const [ofLeft, ofRight] = unifiers(condition.left.type, condition.right.type);
      return (instance, session) =>
        compared(ofLeft(left(instance, session)), condition.operator, ofRight(right(instance, session)));
    }
    case 'like': {
      const [text, pattern] = [computeOf(condition.text), computeOf(condition.pattern)];
      const escapedBy: Compute = condition.escape === undefined ? () => '' : computeOf(condition.escape);
      return (instance, session) => {
        const [given, wanted, escaped] = [text, pattern, escapedBy].map((compute) => compute(instance, session));
        if (given == null || wanted == null || escaped == null) return null;
        return isLike(String(given), String(wanted), String(escaped)) !== condition.negated;
      };
    }
    case 'among': {
      const value = computeOf(condition.value);
      const items = condition.items.map((item) => {
        const [ofValue, ofItem] = unifiers(condition.value.type, item.type);
        return { compute: computeOf(item), ofValue, ofItem };
      });
      return (instance, session) => {
        const given = value(instance, session);
        const verdicts = items.map(({ compute, ofValue, ofItem }) =>
          isAmong(ofValue(given), [ofItem(compute(instance, session))]),
        );
        const verdict = verdicts.includes(true) ? true : verdicts.includes(null) ? null : false;
        return condition.negated ? not(verdict) : verdict;
      };
    }
    case 'absent': {
      const value = computeOf(condition.value);
      return (instance, session) => (value(instance, session) === null) !== condition.negated;
    }
    case 'among-argument':
    case 'among-select':
    case 'exists':
      throw unsupported('a subquery');
    case 'branch':
      throw unsupported('a tree');
    case 'empty':
    case 'member':
      throw unsupported('a collection');
    default:
      return condition satisfies never;
  }
}

const unsupported = (what: string): Error =>
  new Error(`A predicate is tested on the instance in memory, and cannot ask for ${what}`);

function computed(model: Model, expression: BoundExpression, paths: Set<string>): Compute {
  switch (expression.kind) {
    case 'attribute': {
      if (expression.treated !== undefined) throw unsupported('an instance of a descendant');
      const { read, type } = pathReader(model, expression.path, paths);
      return (instance) => comparableOf(read(instance), type);
    }
    case 'constant': {
      const constant = comparableOf(constantText(expression), literalTypeOf(expression.type));
      return () => constant;
    }
    case 'null':
      return () => null;
    case 'session': {
      const type = literalTypeOf(expression.type);
      return (_instance, session) => sessionOperand(session(expression.name), type);
    }
    case 'call':
      return called(
        expression.name,
        expression.args.map((argument) => computed(model, argument, paths)),
      );
    default:
      throw unsupported('what the database computes');
  }
}

/** Converts stored ids of enums to their names, since instances have the names. */
function constantText({ type, value }: Extract<BoundExpression, { kind: 'constant' }>): unknown {
  if (type.kind !== 'scalar' || type.type.kind !== 'enum') return value;
  return type.type.enumeration.values.find(({ id }) => id === value)?.name ?? value;
}

function literalTypeOf(type: ValueType): LiteralType {
  if (type.kind === 'scalar') return type.type;
  return { kind: 'datatype', datatype: 'string' };
}

function called(name: string, args: readonly Compute[]): Compute {
  const [first = () => null] = args;
  const onText =
    (change: (text: string) => Comparable): Compute =>
    (instance, session) => {
      const value = first(instance, session);
      return value === null ? null : change(String(value));
    };
  switch (name) {
    case 'lower':
      return onText((text) => text.toLowerCase());
    case 'upper':
      return onText((text) => text.toUpperCase());
    case 'length':
      return onText((text) => BigInt([...text].length));
    case 'concat':
      return (instance, session) => {
        const values = args.map((argument) => argument(instance, session));
        return values.includes(null) ? null : values.join('');
      };
    case 'coalesce':
      return (instance, session) => {
        for (const argument of args) {
          const value = argument(instance, session);
          if (value !== null) return value;
        }
        return null;
      };
    default:
      throw unsupported(`the function ${name}`);
  }
}

type Unify = (value: Comparable | null) => Comparable | null;

const same: Unify = (value) => value;
const isNumber = ({ type }: Extract<ValueType, { kind: 'scalar' }>): boolean =>
  type.kind === 'datatype' && ['integer', 'decimal', 'floating'].includes(familyOf(type.datatype));

/** Numbers of different types are converted to exact decimals or, if one is binary, to binary numbers. */
function unifiers(left: ValueType, right: ValueType): readonly [Unify, Unify] {
  if (left.kind !== 'scalar' || right.kind !== 'scalar' || !isNumber(left) || !isNumber(right)) return [same, same];
  const isBinary = [left, right].some(({ type }) => type.kind === 'datatype' && familyOf(type.datatype) === 'floating');
  const unify = isBinary ? toBinary : toDecimal;
  return [unify, unify];
}

const toDecimal: Unify = (value) => (typeof value === 'bigint' ? { digits: value, scale: 0 } : value);

const toBinary: Unify = (value) =>
  value === null || typeof value !== 'object' ? (value === null ? null : Number(value)) : binaryOf(value);

const binaryOf = ({ digits, scale }: ExactDecimal): number => Number(`${digits}e-${scale}`);
