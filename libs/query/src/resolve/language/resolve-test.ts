import type { Condition, LanguageCondition } from '../../ast/condition.ts';
import type { Expression } from '../../ast/expression.ts';
import type { BoundCondition } from '../bound-condition.ts';
import { resolveCondition as resolveFilter } from '../resolve-condition.ts';
import { namedEntityOf, parentPathOf } from '../resolve-tree.ts';
import { bindPath, variableOf } from './attribute-access.ts';
import type { BoundExpression } from './bound-expression.ts';
import { type LanguageContext, languageError } from './context.ts';
import { assertComparable, isOpen, resolveCollection, resolveExpression, resolvePair } from './resolve-expression.ts';
import { resolveSelect } from './resolve-select.ts';
import { groupOf, hasOrder, isComparable, nameOfType, scalar } from './value-types.ts';

/**
 * Binds a condition of the language to the model.
 *
 * @throws QuerySyntaxError with the position of the wrong part
 */
export function resolveCondition(condition: Condition, context: LanguageContext): BoundCondition {
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or':
      return {
        kind: condition.kind,
        conditions: condition.conditions.map((part) => resolveCondition(part, context)),
      };
    case 'not':
      return { kind: 'not', condition: resolveCondition(condition.condition, context) };
    case 'comparison':
    case 'text':
    case 'in':
    case 'tree':
    case 'descendant':
    case 'owned':
    case 'members':
    case 'search':
    case 'attributes':
    case 'null': {
      const { model, self } = context;
      if (self === undefined) throw new Error('Only a policy has an instance of its own: {E} is unknown in a query');
      return resolveFilter(model, self.entity, condition);
    }
    default:
      return resolveTest(condition, context);
  }
}

type Of<K extends LanguageCondition['kind']> = Extract<LanguageCondition, { kind: K }>;

function resolveTest(test: LanguageCondition, context: LanguageContext): BoundCondition {
  switch (test.kind) {
    case 'relation':
      return resolveRelation(test, context);
    case 'like':
      return resolveLike(test, context);
    case 'among':
      return resolveAmong(test, context);
    case 'branch':
      return resolveBranch(test, context);
    case 'absent':
      return resolveAbsent(test, context);
    case 'empty': {
      const { variable, path } = resolveCollection(test.collection, context);
      return { kind: 'empty', variable, path, negated: test.negated };
    }
    case 'member':
      return resolveMember(test, context);
    case 'exists':
      return { kind: 'exists', select: resolveSelect(test.select, context) };
    default:
      return test satisfies never;
  }
}

function resolveRelation(test: Of<'relation'>, context: LanguageContext): BoundCondition {
  const { operator, quantifier, position } = test;
  const [left, right] = resolvePair(test.left, test.right, context);
  assertComparable(left, right, position, context);
  const isOrdering = operator !== '=' && operator !== '<>';
  if (isOrdering && !hasOrder(left.type))
    throw languageError(`Values of type ${nameOfType(left.type)} have no order: expected = or <>`, position);
  if (quantifier !== undefined && left.type.kind !== 'scalar')
    throw languageError('ALL and ANY take values, not instances', position);
  return { kind: 'relation', left, operator, right, quantifier };
}

function resolveLike(test: Of<'like'>, context: LanguageContext): BoundCondition {
  const asText = (expression: Expression): BoundExpression => {
    const bound = resolveExpression(expression, context, scalar('string'));
    if (groupOf(bound.type) !== 'text')
      throw languageError(`LIKE takes texts, but found a value of type ${nameOfType(bound.type)}`, expression.position);
    return bound;
  };
  const { escape: escaping } = test;
  if (escaping !== undefined) assertEscaping(test.pattern, escaping, context);
  return {
    kind: 'like',
    text: asText(test.text),
    pattern: asText(test.pattern),
    escape: escaping === undefined ? undefined : asText(escaping),
    negated: test.negated,
  };
}

/** The database refuses a pattern that ends with its escape character: constant patterns are checked here. */
function assertEscaping(pattern: Expression, escaping: Expression, { self }: LanguageContext): void {
  const isConstant = pattern.kind === 'literal' && escaping.kind === 'literal';
  if (escaping.kind === 'literal' && [...String(escaping.value)].length !== 1)
    throw languageError('Expected one character after ESCAPE', escaping.position);
  if (
    isConstant &&
    String(pattern.value).replaceAll(`${escaping.value}${escaping.value}`, '').endsWith(String(escaping.value))
  )
    throw languageError('The pattern ends with its escape character', pattern.position);
  // A policy must never fail for what is in the tables or in the session.
  if (!isConstant && self !== undefined)
    throw languageError('In a policy, a pattern with ESCAPE and the escape character are constants', pattern.position);
}

function resolveAmong({ value, items, negated, position }: Of<'among'>, context: LanguageContext): BoundCondition {
  const [only] = items;
  if (items.length === 1 && only?.kind === 'subquery') {
    const select = resolveSelect(only.select, context);
    const [item] = select.items;
    if (item === undefined || select.items.length > 1)
      throw languageError('The subquery must select one value', only.position);
    const bound = resolveExpression(value, context, item.expression.type);
    assertComparable(bound, item.expression, position, context);
    return { kind: 'among-select', value: bound, select, negated };
  }
  const list = items.length === 1 && only?.kind === 'parameter' ? context.parameters?.get(only.name) : undefined;
  if (list?.isList === true) {
    context.used.add(list.name);
    const isOpen = list.isOpen === true;
    const declared = { kind: 'scalar', type: list.type } as const;
    const bound = resolveExpression(value, context, declared);
    const type = isOpen && bound.type.kind === 'scalar' ? bound.type : declared;
    if (!isComparable(context.model, bound.type, type))
      throw languageError(`${nameOfType(bound.type)} cannot be compared with ${nameOfType(type)}`, position);
    return { kind: 'among-argument', value: bound, index: list.index, type: type.type, isOpen, negated };
  }
  const typed = isOpen(value, context) ? items.find((item) => !isOpen(item, context)) : undefined;
  const expected = typed === undefined ? undefined : resolveExpression(typed, context).type;
  const bound = resolveExpression(value, context, expected);
  const values = items.map((item) => {
    const one = resolveExpression(item, context, bound.type);
    assertComparable(bound, one, item.position, context);
    return one;
  });
  return { kind: 'among', value: bound, items: values, negated };
}

function resolveBranch({ value, operator, of, position }: Of<'branch'>, context: LanguageContext): BoundCondition {
  const bound = resolveExpression(value, context);
  const leaf = bound.kind === 'attribute' ? namedEntityOf(bound.path.leaf) : undefined;
  const entity = bound.type.kind === 'entity' ? bound.type.entity : leaf;
  const parent = entity && parentPathOf(context.model, entity);
  if (parent === undefined)
    throw languageError(`Expected an instance of a tree, but found ${nameOfType(bound.type)}`, value.position);
  const other = resolveExpression(of, context, bound.type);
  assertComparable(bound, other, position, context);
  return { kind: 'branch', value: bound, operator, of: other, parent };
}

function resolveAbsent({ value, negated }: Of<'absent'>, context: LanguageContext): BoundCondition {
  // An embedded object has no value, but can be absent.
  if (value.kind === 'path' && value.names.length > 1) {
    const variable = variableOf(value, context);
    const path = bindPath(variable.entity, value.names.slice(1), value.position, context);
    if (path.leaf.kind === 'elements' || path.leaf.kind === 'embedded')
      return path.leaf.kind === 'elements'
        ? { kind: 'empty', variable, path, negated }
        : {
            kind: 'absent',
            value: { kind: 'attribute', variable, treated: undefined, path, type: scalar('string') },
            negated,
          };
  }
  return { kind: 'absent', value: resolveExpression(value, context), negated };
}

function resolveMember(test: Of<'member'>, context: LanguageContext): BoundCondition {
  const { variable, path } = resolveCollection(test.collection, context);
  const { leaf } = path;
  if (leaf.kind !== 'elements' && leaf.kind !== 'reference') throw new Error(`${path.text} is no collection`);
  const expected =
    leaf.kind === 'elements'
      ? ({ kind: 'scalar', type: leaf.type } as const)
      : ({ kind: 'entity', entity: leaf.target } as const);
  const value = resolveExpression(test.value, context, expected);
  if (!isComparable(context.model, value.type, expected))
    throw languageError(
      `The members of ${path.text} are ${nameOfType(expected)}, but found ${nameOfType(value.type)}`,
      test.position,
    );
  return { kind: 'member', value, variable, path, negated: test.negated };
}
