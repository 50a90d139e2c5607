import { enumValueByName, isToMany } from '@lintel/metadata';
import type { Expression, PathExpression, SourcePosition } from '../../ast/expression.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import { accessOfPath, accessOfTreat, bindPath, toOnePath, variableOf } from './attribute-access.ts';
import type { AttributeAccess, BoundExpression, ScalarType, ValueType } from './bound-expression.ts';
import { findVariable, type LanguageContext, languageError } from './context.ts';
import { argumentGroups, assertCount, assertGroup, defaultType, functionNamed } from './functions.ts';
import { resolveAggregate } from './resolve-aggregate.ts';
import { resolveLiteral, resolveNull } from './resolve-literal.ts';
import { resolveSelect } from './resolve-select.ts';
import { resolveCondition } from './resolve-test.ts';
import { isComputedByServer } from './session-parameters.ts';
import { datatypeOf, groupOf, isComparable, nameOfType, ofLiteral, scalar, unify, widerNumber } from './value-types.ts';

/**
 * Binds an expression to the model and gives it its type.
 *
 * @param expected the type of the other operand: constants and parameters of the server take it
 * @throws QuerySyntaxError with the position of the wrong part
 */
export function resolveExpression(
  expression: Expression,
  context: LanguageContext,
  expected?: ValueType,
): BoundExpression {
  switch (expression.kind) {
    case 'path':
      return resolveName(expression, context);
    case 'treat':
      return attributeOf(accessOfTreat(expression, context), expression.position);
    case 'literal':
      return resolveLiteral(expression, expected);
    case 'temporal':
      return { kind: 'constant', value: expression.text, type: scalar(expression.datatype) };
    case 'null':
      return resolveNull(expected);
    case 'parameter':
      return resolveParameter(expression, context, expected);
    case 'arithmetic':
      return resolveArithmetic(expression, context, expected);
    case 'negative':
      return resolveNegative(expression, context, expected);
    case 'call':
      return resolveCall(expression, context, expected);
    case 'trim':
      return resolveTrim(expression, context);
    case 'aggregate':
      return resolveAggregate(expression, context);
    case 'case':
      return resolveCase(expression, context, expected);
    case 'type':
      return resolveTypeOf(expression.operand, context);
    case 'subquery':
      return resolveScalarQuery(expression, context);
    case 'now':
      return { kind: 'now', of: expression.of, type: NOW_TYPES[expression.of] };
    case 'moment':
      return resolveMoment(expression, context, expected);
    default:
      return expression satisfies never;
  }
}

const NOW_TYPES = {
  date: scalar('localDate'),
  time: scalar('localTime'),
  timestamp: scalar('localDateTime'),
} as const;

/** An attribute, a variable, a constant of an enum or an entity. */
function resolveName(path: PathExpression, context: LanguageContext): BoundExpression {
  const [name = '', ...rest] = path.names;
  const variable = findVariable(context.scope, name);
  if (variable !== undefined)
    return rest.length === 0
      ? { kind: 'variable', variable, type: { kind: 'entity', entity: variable.entity } }
      : attributeOf(accessOfPath(path, context), path.position);
  const enumeration = context.model.enums.get(path.names.slice(0, -1).join('.'));
  if (enumeration !== undefined) {
    const last = path.names.at(-1) ?? '';
    const constant = enumValueByName(enumeration, last);
    if (constant === undefined)
      throw languageError(
        `${enumeration.name} has no constant ${last}: expected ${enumeration.values.map((value) => value.name).join(', ')}`,
        path.position,
      );
    return { kind: 'constant', value: constant.id, type: ofLiteral({ kind: 'enum', enumeration }) };
  }
  const entity = rest.length === 0 ? context.model.entities.get(name) : undefined;
  if (entity?.kind === 'entity') return { kind: 'entity-name', entity, type: { kind: 'entity-type', entity } };
  variableOf(path, context);
  throw new Error(`${name} is a variable`);
}

const isTextForm = (type: LiteralType): boolean => type.kind === 'datatype' && type.comparedAs !== undefined;

function attributeOf(at: AttributeAccess, position: SourcePosition): BoundExpression {
  const { leaf, text } = at.path;
  switch (leaf.kind) {
    case 'value':
      // Queries and policies see text forms as texts.
      return { kind: 'attribute', ...at, type: isTextForm(leaf.type) ? scalar('string') : ofLiteral(leaf.type) };
    case 'reference':
      if (isToMany(leaf.attribute)) break;
      return { kind: 'attribute', ...at, type: { kind: 'entity', entity: leaf.target } };
    case 'embedded':
      throw languageError(`${leaf.owner.name}.${text} is an embedded object: name one of its attributes`, position);
    case 'elements':
      break;
    default:
      leaf satisfies never;
  }
  throw languageError(`${leaf.owner.name}.${text} is a collection: use MEMBER OF, IS EMPTY, SIZE or a join`, position);
}

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

function resolveParameter(
  { name, position }: Of<'parameter'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  const declared = context.parameters?.get(name);
  if (declared !== undefined) {
    context.used.add(name);
    if (declared.isList) throw languageError(`:${name} is a collection: it can be used after IN only`, position);
    const isOpen = declared.isOpen === true;
    const own = ofLiteral(declared.type);
    return {
      kind: 'argument',
      index: declared.index,
      isOpen,
      type: isOpen && expected?.kind === 'scalar' ? expected : own,
    };
  }
  if (context.parameters !== undefined && !isComputedByServer(name)) {
    const known = [...context.parameters.keys()].map((one) => `:${one}`);
    throw languageError(
      `The parameter :${name} is not declared: expected ${[...known, ':current_user_<attribute>'].join(', ')}`,
      position,
    );
  }
  const type = expected?.kind === 'scalar' ? expected : scalar('string');
  return { kind: 'session', name, type };
}

/** Whether the other operand decides the type of the expression. */
export function isOpen(expression: Expression, context: LanguageContext): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'null':
      return true;
    case 'parameter':
      return (context.parameters?.get(expression.name)?.isOpen ?? true) === true;
    case 'negative':
      return isOpen(expression.operand, context);
    case 'moment':
      return expression.base === undefined || isOpen(expression.base, context);
    case 'arithmetic':
      return isOpen(expression.left, context) && isOpen(expression.right, context);
    case 'case':
      return [...expression.branches.map(({ value }) => value), ...present(expression.otherwise)].every((one) =>
        isOpen(one, context),
      );
    case 'call':
      return (
        (expression.name === 'coalesce' || expression.name === 'nullif') &&
        expression.args.every((one) => isOpen(one, context))
      );
    default:
      return false;
  }
}

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

/** Two operands: if only one has a known type, the other takes it. */
export function resolvePair(
  left: Expression,
  right: Expression,
  context: LanguageContext,
  expected?: ValueType,
): readonly [BoundExpression, BoundExpression] {
  if (isOpen(left, context) && !isOpen(right, context)) {
    const bound = resolveExpression(right, context, expected);
    return [resolveExpression(left, context, bound.type), bound];
  }
  const bound = resolveExpression(left, context, expected);
  return [bound, resolveExpression(right, context, bound.type)];
}

/** @throws QuerySyntaxError if two values cannot be compared */
export function assertComparable(
  left: BoundExpression,
  right: BoundExpression,
  position: SourcePosition,
  { model }: LanguageContext,
): void {
  if (!isComparable(model, left.type, right.type))
    throw languageError(`${nameOfType(left.type)} cannot be compared with ${nameOfType(right.type)}`, position);
}

function resolveArithmetic(
  expression: Of<'arithmetic'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  const { operator, position } = expression;
  const isText = operator === '||';
  const wanted = isText ? scalar('string') : groupOf(expected ?? scalar('long')) === 'number' ? expected : undefined;
  const [left, right] = isText
    ? [resolveExpression(expression.left, context), resolveExpression(expression.right, context)]
    : resolvePair(expression.left, expression.right, context, wanted);
  const groups = isText ? (['text', 'number'] as const) : (['number'] as const);
  for (const side of [left, right]) assertGroup(operator, side, groups, position);
  const [one, other] = [datatypeOf(left.type), datatypeOf(right.type)];
  const type = isText || one === undefined || other === undefined ? scalar('string') : widerNumber(one, other);
  return { kind: 'arithmetic', operator, left, right, type };
}

function resolveNegative(
  { operand, position }: Of<'negative'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  const bound = resolveExpression(
    operand,
    context,
    groupOf(expected ?? scalar('long')) === 'number' ? expected : scalar('decimal'),
  );
  assertGroup('-', bound, ['number'], position);
  return { kind: 'negative', operand: bound, type: bound.type };
}

function resolveCall(call: Of<'call'>, context: LanguageContext, expected: ValueType | undefined): BoundExpression {
  const { name, args, position } = call;
  if (name === 'coalesce') return resolveCoalesce(call, context, expected);
  if (name === 'nullif') return resolveNullIf(call, context, expected);
  if (name === 'size') return resolveSize(call, context);
  const signature = functionNamed(name, position);
  assertCount(name, args.length, signature.min, signature.max, position);
  const bound = args.map((argument, at) => {
    const groups = argumentGroups(signature, at);
    const isLiteral = argument.kind === 'literal' || argument.kind === 'negative';
    const hasChoice = groups.length > 1 && argument.kind !== 'parameter' && argument.kind !== 'null';
    const value = resolveExpression(argument, context, isLiteral || hasChoice ? undefined : defaultType(groups));
    assertGroup(name, value, groups, argument.position);
    return value;
  });
  return { kind: 'call', name: signature.name, args: bound, type: signature.gives(bound) };
}

function resolveCoalesce(
  { args, position }: Of<'call'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  assertCount('coalesce', args.length, 2, Number.POSITIVE_INFINITY, position);
  const { values, type } = resolveAlternatives(args, context, expected, position);
  return { kind: 'call', name: 'coalesce', args: values, type };
}

function resolveNullIf(
  { args, position }: Of<'call'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  assertCount('nullif', args.length, 2, 2, position);
  const [first, second] = args;
  if (first === undefined || second === undefined) throw new Error('NULLIF has two arguments');
  const [left, right] = resolvePair(first, second, context, expected);
  assertComparable(left, right, position, context);
  assertScalar(left, first.position);
  return { kind: 'call', name: 'nullif', args: [left, right], type: left.type };
}

/** Expressions of which one is the value: all of one type. */
function resolveAlternatives(
  expressions: readonly Expression[],
  context: LanguageContext,
  expected: ValueType | undefined,
  position: SourcePosition,
): { readonly values: readonly BoundExpression[]; readonly type: ScalarType } {
  const typed = expressions.find((one) => !isOpen(one, context));
  const leading = typed === undefined ? expected : resolveExpression(typed, context, expected).type;
  const guess = leading ?? literalType(expressions, context);
  const values = expressions.map((one) => resolveExpression(one, context, guess));
  let type = values[0]?.type;
  for (const value of values.slice(1)) {
    const next = type === undefined ? undefined : unify(context.model, type, value.type);
    if (next === undefined)
      throw languageError(
        `The values are of different types: ${nameOfType(type ?? value.type)} and ${nameOfType(value.type)}`,
        position,
      );
    type = next;
  }
  if (type?.kind !== 'scalar') throw languageError('Expected values, not instances', position);
  return { values, type };
}

/** The type of the first constant, if no other operand has one. */
function literalType(expressions: readonly Expression[], context: LanguageContext): ValueType | undefined {
  const literal = expressions.find(({ kind }) => kind === 'literal' || kind === 'negative' || kind === 'arithmetic');
  return literal === undefined ? undefined : resolveExpression(literal, context).type;
}

function resolveCase(
  { branches, otherwise, position }: Of<'case'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  const tests = branches.map(({ when }) => resolveCondition(when, context));
  const results = [...branches.map(({ value }) => value), ...present(otherwise)];
  const { values, type } = resolveAlternatives(results, context, expected, position);
  return {
    kind: 'case',
    branches: tests.flatMap((when, at) => present(values[at]).map((value) => ({ when, value }))),
    otherwise: otherwise === undefined ? undefined : values.at(-1),
    type,
  };
}

function resolveTrim({ side, characters, text, position }: Of<'trim'>, context: LanguageContext): BoundExpression {
  const bound = resolveExpression(text, context, scalar('string'));
  assertGroup('trim', bound, ['text'], position);
  const trimmed = characters === undefined ? undefined : resolveExpression(characters, context, scalar('string'));
  if (trimmed !== undefined) assertGroup('trim', trimmed, ['text'], position);
  return { kind: 'trim', side, characters: trimmed, text: bound, type: scalar('string') };
}

function resolveSize({ args, position }: Of<'call'>, context: LanguageContext): BoundExpression {
  assertCount('size', args.length, 1, 1, position);
  const [collection] = args;
  if (collection?.kind !== 'path') throw languageError('SIZE takes the path of a collection', position);
  const { variable, path } = resolveCollection(collection, context);
  return { kind: 'size', variable, path, type: scalar('long') };
}

/** The access to a collection: a to-many reference or an element collection. */
export function resolveCollection(collection: PathExpression, context: LanguageContext): AttributeAccess {
  const variable = variableOf(collection, context);
  const path = bindPath(variable.entity, collection.names.slice(1), collection.position, context);
  if (path.leaf.kind !== 'elements' && !isToMany(path.leaf.attribute))
    throw languageError(`${variable.entity.name}.${path.text} is no collection`, collection.position);
  return { variable, treated: undefined, path };
}

function resolveTypeOf(operand: PathExpression, context: LanguageContext): BoundExpression {
  const variable = variableOf(operand, context);
  const names = operand.names.slice(1);
  if (names.length === 0)
    return { kind: 'type-of', variable, path: undefined, type: { kind: 'entity-type', entity: variable.entity } };
  const path = toOnePath(variable, names, operand.position, context);
  if (path.leaf.kind !== 'reference') throw new Error(`${path.text} is no reference`);
  return { kind: 'type-of', variable, path, type: { kind: 'entity-type', entity: path.leaf.target } };
}

function resolveScalarQuery({ select, position }: Of<'subquery'>, context: LanguageContext): BoundExpression {
  const bound = resolveSelect(select, context);
  const [item] = bound.items;
  if (item === undefined || bound.items.length > 1) throw languageError('The subquery must select one value', position);
  return { kind: 'subquery', select: bound, type: item.expression.type };
}

function resolveMoment(
  { base, offset, unit, inUserZone, position }: Of<'moment'>,
  context: LanguageContext,
  expected: ValueType | undefined,
): BoundExpression {
  const type = expected ?? scalar('localDateTime');
  if (groupOf(type) !== 'date')
    throw languageError(`Expected a date, but found a value of type ${nameOfType(type)}`, position);
  const bound = base === undefined ? undefined : resolveExpression(base, context, type);
  if (bound !== undefined) assertGroup('the macro', bound, ['date'], position);
  return { kind: 'moment', base: bound, offset, unit, inUserZone, type };
}

/** @throws QuerySyntaxError for instances and entities */
function assertScalar(bound: BoundExpression, position: SourcePosition): void {
  if (bound.type.kind !== 'scalar')
    throw languageError(`Expected a value, but found ${nameOfType(bound.type)}`, position);
}
