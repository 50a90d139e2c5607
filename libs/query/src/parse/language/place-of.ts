import { EOF, type IToken } from 'chevrotain';
import type { Place } from '../../ast/expression.ts';
import { QuerySyntaxError } from './query-syntax-error.ts';

/** Where a token stands. */
export const placeOf = ({ startLine, startColumn }: IToken): Place =>
  Object.freeze({ line: startLine ?? 1, column: startColumn ?? 1 });

/** A syntax error at that place. */
export const syntaxErrorAt = (reason: string, { line, column }: Place): QuerySyntaxError =>
  new QuerySyntaxError(reason, line, column);

/** A syntax error at a token; at the end of the text, which has no place of its own, behind the last token. */
export function syntaxError(reason: string, token: IToken, last?: IToken): QuerySyntaxError {
  return token.tokenType === EOF
    ? new QuerySyntaxError(reason, last?.endLine ?? 1, (last?.endColumn ?? 0) + 1)
    : syntaxErrorAt(reason, placeOf(token));
}
