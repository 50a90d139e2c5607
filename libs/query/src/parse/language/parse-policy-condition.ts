import { EOF, Lexer } from 'chevrotain';
import type { Condition } from '../../ast/condition.ts';
import { ConditionParser } from './condition-parser.ts';
import { QuerySyntaxError } from './query-syntax-error.ts';
import { TOKENS } from './tokens.ts';

// Made when the first text is read: an application without query policies does not pay for the grammar.
let tools: { readonly lexer: Lexer; readonly parser: ConditionParser } | undefined;

/**
 * Reads the where-clause of a row-level query policy: `{E}.address.country = :current_user_country`.
 *
 * @param alias the name that paths may begin with besides `{E}`
 * @throws QuerySyntaxError with line and column
 */
export function parsePolicyCondition(text: string, alias = '{E}'): Condition {
  tools ??= { lexer: new Lexer(TOKENS), parser: new ConditionParser() };
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
  parser.input = tokens;
  const condition = parser.condition();
  const [problem] = parser.errors;
  if (problem === undefined) return condition;
  // At the end of the text the token has no place of its own: the last one before it has.
  const isAtEnd = problem.token.tokenType === EOF;
  const last = tokens.at(-1);
  throw isAtEnd
    ? new QuerySyntaxError(problem.message, last?.endLine ?? 1, (last?.endColumn ?? 0) + 1)
    : new QuerySyntaxError(problem.message, problem.token.startLine ?? 1, problem.token.startColumn ?? 1);
}
