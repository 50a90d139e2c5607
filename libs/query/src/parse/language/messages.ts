import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from 'chevrotain';

const nameOf = (type: TokenType): string => type.LABEL ?? type.name;

const found = (token: IToken | undefined): string =>
  token === undefined || token.tokenType === EOF ? 'the text ends' : `found ${token.image}`;

const expected = (types: readonly (TokenType | undefined)[], actual: readonly IToken[]): string => {
  const names = [...new Set(types.flatMap((type) => (type === undefined ? [] : [nameOf(type)])))];
  return `Expected ${names.join(', ')}, but ${found(actual[0])}`;
};

/** Error texts of the entity query language: what was expected and what was found, in one sentence. */
export const MESSAGES: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected: type, actual }) => expected([type], [actual]),
  buildNotAllInputParsedMessage: ({ firstRedundant }) => `Expected the end of the text, but ${found(firstRedundant)}`,
  buildNoViableAltMessage: ({ expectedPathsPerAlt, actual }) =>
    expected(
      expectedPathsPerAlt.flatMap((paths) => paths.map((path) => path[0])),
      actual,
    ),
  buildEarlyExitMessage: ({ expectedIterationPaths, actual }) =>
    expected(
      expectedIterationPaths.map((path) => path[0]),
      actual,
    ),
};
