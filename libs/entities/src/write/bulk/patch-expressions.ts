import { PlatformError } from '@lintel/errors';
import type { Attribute, Entity } from '@lintel/metadata';
import {
  type ExactObject,
  type Expression,
  isExactObject,
  literalTypeOf,
  parseExpression,
  parseSelectRead,
  type QueryArgument,
  QuerySyntaxError,
  readExactJson,
  type SelectQuery,
} from '@lintel/query';
import {
  assertAffordable,
  bindRead,
  executeRows,
  type PreparedRead,
  prepareRead,
  shapeRows,
  unrecorded,
} from '@lintel/reading';
import type { StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { keyText } from '../values/value.ts';
import type { Caller } from './affected-rows.ts';

/** A member of a patch whose value the database computes. */
interface PatchExpression {
  readonly name: string;
  readonly text: string;
}

const MAX_EXPRESSIONS = 20;
const MAX_CHARACTERS = 1_000;
/** Attributes that all expressions name: a long text may not be multiplied. */
const MAX_PATHS = 20;
/** The name of the instance in statements; `{E}` in expressions. */
const SELF = 'self';
const START = { line: 1, column: 1 };
const pathTo = (...names: readonly string[]): Expression => ({
  kind: 'path',
  names: [SELF, ...names],
  position: START,
});

/**
 * Separates members such as `{"price": {"expression": "{E}.price * 1.05"}}` from the rest of a patch
 * (contract/writing.md#bulk-expressions).
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE
 */
export function splitExpressions(
  entity: Entity,
  patch: ExactObject,
): { readonly plain: ExactObject; readonly expressions: readonly PatchExpression[] } {
  const expressions = Object.entries(patch).flatMap(([name, value]): readonly PatchExpression[] => {
    if (!isExactObject(value) || !hasOneValue(entity.attributes.get(name))) return [];
    const { expression: text, ...others } = value;
    if (text === undefined || Object.keys(others).length > 0) return [];
    if (typeof text !== 'string' || text.length > MAX_CHARACTERS)
      throw refuse(name, `it must be a text of at most ${MAX_CHARACTERS} characters`);
    return [{ name, text }];
  });
  if (expressions.length > MAX_EXPRESSIONS)
    throw new PlatformError('REQ_CANNOT_DESERIALIZE', `The body has more than ${MAX_EXPRESSIONS} expressions`);
  const computed = new Set(expressions.map(({ name }) => name));
  return { plain: Object.fromEntries(Object.entries(patch).filter(([name]) => !computed.has(name))), expressions };
}

/** Values of JSON attributes are objects themselves. */
const hasOneValue = (attribute: Attribute | undefined): boolean =>
  attribute?.kind === 'enum' || (attribute?.kind === 'datatype' && attribute.datatype !== 'json');

const refuse = (name: string, reason: string, cause?: unknown): PlatformError =>
  new PlatformError('REQ_CANNOT_DESERIALIZE', `The expression of '${name}' cannot be used: ${reason}`, { cause });

/** Reads the values of expressions for rows, as they are before the patch. */
export type ReadExpressions = (scope: WriteScope, rows: readonly StoredRow[]) => Promise<readonly ExactObject[]>;

/**
 * Prepares the expressions, with the rights of the caller to read the attributes that they name.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the attribute; ACCESS_ATTRIBUTE_DENIED; REQ_COST_EXCEEDED
 */
export async function prepareExpressions(
  entity: Entity,
  expressions: readonly PatchExpression[],
  { principal, deps, signal }: Caller,
): Promise<ReadExpressions> {
  const [first] = expressions;
  if (first === undefined) return async (_scope, rows) => rows.map(() => ({}));
  const { model } = deps.environment;
  const key = entity.attributes.get(entity.key?.attribute ?? '');
  const type = key === undefined ? undefined : literalTypeOf(model, key);
  if (key === undefined || type === undefined) throw refuse(first.name, `${entity.name} has no key of one attribute`);
  const computed = expressions.map(({ name, text }) => expressionOf(name, text));
  if (countPaths(computed) > MAX_PATHS) throw refuse(first.name, `all of them name more than ${MAX_PATHS} attributes`);
  const select: SelectQuery = {
    ...{ distinct: false, groupBy: [], having: undefined, orderBy: [], position: START },
    items: [
      { expression: pathTo(key.name), alias: 'key' },
      ...computed.map((expression, at) => ({ expression, alias: `value${at}` })),
    ],
    ranges: [
      { source: { kind: 'path', names: [entity.name], position: START }, variable: SELF, joins: [], position: START },
    ],
    where: {
      ...{ kind: 'among', value: pathTo(key.name), negated: false, position: START },
      items: [{ kind: 'parameter', name: 'keys', position: START }],
    },
  };
  const prepare = (keys: readonly QueryArgument[]): PreparedRead => {
    const texts = expressions.map(({ text }) => text);
    const query = { entity: entity.name, key: JSON.stringify(['patch', texts]), query: select };
    const parsed = parseSelectRead(
      {
        ...query,
        parameters: [{ name: 'keys', type, isList: true }],
        fetchPlan: undefined,
        limit: undefined,
        offset: undefined,
      },
      keys,
      { returnNulls: true },
      deps.read.limits,
      { ...deps.read.limitsOf(principal), listValues: Number.MAX_SAFE_INTEGER },
    );
    const access = unrecorded(deps.read.loadAccess(principal));
    return prepareRead(parsed, model, access, deps.read, { isUnlimited: true });
  };
  await assertAffordable(
    understood(expressions, () => prepare([[]])),
    undefined,
    deps.read,
    signal,
  );
  return async (scope, rows) => {
    const read = prepare([rows.map(({ key: [value] }) => value as string)]);
    const found = await executeRows(bindRead(read, read.compiled.rows), read, scope.transaction, signal);
    const values = new Map(
      await shapeRows(read, found, (json) => {
        const row = readExactJson(json) as ExactObject;
        return [String(row['key']), row] as const;
      }),
    );
    return rows.map((row) => {
      const own = values.get(String(row.key[0]));
      if (own === undefined) throw refuse(first.name, `it has no value for ${entity.name} ${keyText(row.key)}`);
      return Object.fromEntries(expressions.map(({ name }, at) => [name, own[`value${at}`] ?? null]));
    });
  };
}

/** A mistake in one of several expressions is named with its attribute. */
function understood<T>([first]: readonly PatchExpression[], prepare: () => T): T {
  try {
    return prepare();
  } catch (cause) {
    if (cause instanceof QuerySyntaxError && first !== undefined) throw refuse(first.name, cause.message, cause);
    throw cause;
  }
}

function expressionOf(name: string, text: string): Expression {
  try {
    return withSelf(parseExpression(text), name) as Expression;
  } catch (cause) {
    if (cause instanceof QuerySyntaxError) throw refuse(name, cause.message, cause);
    throw cause;
  }
}

const countPaths = (node: unknown): number =>
  typeof node !== 'object' || node === null
    ? 0
    : Object.values(node).reduce<number>(
        (sum, each) => sum + countPaths(each),
        'kind' in node && node.kind === 'path' ? 1 : 0,
      );

/** Parts of the language that read other rows, or values that a patch does not have. */
const REFUSED: ReadonlySet<unknown> = new Set(['subquery', 'exists', 'aggregate', 'parameter', 'member', 'empty']);

/** The same tree over the variable of the statement. */
function withSelf(node: unknown, name: string): unknown {
  if (Array.isArray(node)) return node.map((each) => withSelf(each, name));
  if (typeof node !== 'object' || node === null || Object.getPrototypeOf(node) !== Object.prototype) return node;
  const { kind, names } = node as { readonly kind?: unknown; readonly names?: readonly string[] };
  if (REFUSED.has(kind)) throw refuse(name, 'it may have attributes of {E}, values, operators and functions');
  const members = Object.entries(node).map(([member, value]) => [member, withSelf(value, name)]);
  const copy = Object.fromEntries(members);
  return kind === 'path' && names?.[0] === '{E}' ? { ...copy, names: [SELF, ...names.slice(1)] } : copy;
}
