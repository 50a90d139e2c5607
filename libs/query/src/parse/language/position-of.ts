import { EOF, type IToken } from 'chevrotain';
import type { SourcePosition } from '../../ast/expression.ts';
import { QuerySyntaxError } from './query-syntax-error.ts';

/** The position of a token. */
export const positionOf = ({ startLine, startColumn }: IToken): SourcePosition =>
  Object.freeze({ line: startLine ?? 1, column: startColumn ?? 1 });

/** A syntax error at that position. */
export const syntaxErrorAt = (reason: string, { line, column }: SourcePosition): QuerySyntaxError =>
  new QuerySyntaxError(reason, line, column);

/** A syntax error at a token; at the end of the text, which has no position of its own, after the last token. */
export function syntaxError(reason: string, token: IToken, last?: IToken): QuerySyntaxError {
  return token.tokenType === EOF
    ? new QuerySyntaxError(reason, last?.endLine ?? 1, (last?.endColumn ?? 0) + 1)
    : syntaxErrorAt(reason, positionOf(token));
}
