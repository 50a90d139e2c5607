import type { Entity, Model } from '@lintel/metadata';
import type { RowPredicate, SessionValue } from '../../access.ts';
import type { Condition, TextOperator, Value } from '../../ast/condition.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import type { BoundCondition, BoundPath, LeafTest } from '../../resolve/bound-condition.ts';
import { resolveCondition } from '../../resolve/resolve-condition.ts';
import { type Comparable, comparableOf } from './comparable.ts';
import { languageEvaluator } from './language-evaluator.ts';
import { pathReader } from './read-path.ts';
import { compared, type Evaluate, type Instance, isAmong, junction, not, sessionOperand } from './verdict.ts';

/**
 * A condition of the entity query language as a predicate that is tested in memory, with the three-valued
 * logic of SQL (contract/decisions.md#59). Its paths go through embedded attributes and to-one references.
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
    case 'owned':
    case 'descendant':
    case 'members':
    case 'search':
      throw new Error('A predicate cannot ask for an instance of a descendant or an owner, for members, or for words');
    default:
      return languageEvaluator(model, condition, paths);
  }
}

function testEvaluator(model: Model, path: BoundPath, test: LeafTest, paths: Set<string>): Evaluate {
  const { type, read } = pathReader(model, path, paths);
  switch (test.kind) {
    case 'null':
      return (instance) => (read(instance) === null) !== test.negated;
    case 'comparison': {
      const value = operand(test.value, type);
      return (instance, session) => compared(comparableOf(read(instance), type), test.operator, value(session));
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
    case 'tree':
      throw new Error('A predicate is tested on the instance in memory, and cannot ask for a tree');
    case 'embedded':
      throw new Error('A predicate compares the attributes of an embedded object one by one');
    default:
      return test satisfies never;
  }
}

const TEXT: LiteralType = { kind: 'datatype', datatype: 'string' };

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

/** The other side of a test: constants are read once, values of the session each time. */
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
