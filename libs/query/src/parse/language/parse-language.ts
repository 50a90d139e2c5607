import { Lexer } from 'chevrotain';
import type { Condition } from '../../ast/condition.ts';
import type { Expression, SourcePosition } from '../../ast/expression.ts';
import type { RangeJoin, SelectQuery } from '../../ast/select-query.ts';
import { LanguageParser } from './language-parser.ts';
import { asValue, SELF_NAME } from './node.ts';
import { syntaxError } from './position-of.ts';
import { QuerySyntaxError } from './query-syntax-error.ts';
import { TOKENS } from './tokens.ts';

/** Longer texts are refused, since parsing them would take a noticeable time. */
const MAX_CHARACTERS = 100_000;

// Created when the first text is read: without queries and policies the grammar is never built.
let tools: { readonly lexer: Lexer; readonly parser: LanguageParser } | undefined;

/**
 * Reads a query: `select o from sales_Order o where o.status = :status`.
 *
 * @throws QuerySyntaxError with line and column
 */
export const parseSelect = (text: string): SelectQuery => parse(text, (parser) => parser.select(), { hasSelf: false });

/**
 * Reads an expression over an instance: `{E}.price * 1.05`.
 *
 * @throws QuerySyntaxError with line and column
 */
export const parseExpression = (text: string): Expression =>
  asValue(parse(text, (parser) => parser.sum(), { hasSelf: true }));

/**
 * Reads the where-clause of a row-level query policy: `{E}.address.country = :current_user_country`.
 *
 * @param alias the name that paths may begin with besides `{E}`
 * @param join joins that the where-clause may use: `join {E}.lines l`. The policy holds for an instance
 *   with which one of the joined rows keeps the condition
 * @throws QuerySyntaxError with line and column
 */
export function parsePolicyCondition(text: string, alias?: string, join?: string): Condition {
  const where = parse(text, (parser) => parser.condition(), { hasSelf: true, alias });
  if (join === undefined || join.trim() === '') return where;
  const joins = parse(join, (parser) => parser.joins(), { hasSelf: true, alias });
  return Object.freeze({ kind: 'exists', select: joinedTo(joins, where), position: START } as const);
}

const START: SourcePosition = Object.freeze({ line: 1, column: 1 });

/** The instance itself with what is joined to it. */
const joinedTo = (joins: readonly RangeJoin[], where: Condition): SelectQuery => ({
  distinct: false,
  items: [],
  ranges: [
    { source: { kind: 'path', names: [SELF_NAME], position: START }, variable: '{joined}', joins, position: START },
  ],
  where,
  groupBy: [],
  having: undefined,
  orderBy: [],
  position: START,
});

/** The names that a text may use for its instance. */
interface Names {
  readonly hasSelf: boolean;
  readonly alias?: string | undefined;
}

function parse<R>(text: string, rule: (parser: LanguageParser) => R, { hasSelf, alias }: Names): R {
  if (text.length > MAX_CHARACTERS)
    throw new QuerySyntaxError(`The text is longer than ${MAX_CHARACTERS} characters`, 1, 1);
  tools ??= {
    lexer: new Lexer(TOKENS, { positionTracking: 'full', skipValidations: true }),
    parser: new LanguageParser(),
  };
  const { lexer, parser } = tools;
  const { tokens, errors } = lexer.tokenize(text);
  const [unknown] = errors;
  if (unknown !== undefined)
    throw new QuerySyntaxError(
      `Unexpected ${JSON.stringify(text.charAt(unknown.offset))}`,
      unknown.line ?? 1,
      unknown.column ?? 1,
    );
  parser.alias = alias;
  parser.hasSelf = hasSelf;
  parser.depth = 0;
  parser.input = tokens;
  const parsed = rule(parser);
  const [problem] = parser.errors;
  if (problem === undefined) return parsed;
  throw syntaxError(problem.message, problem.token, tokens.at(-1));
}
