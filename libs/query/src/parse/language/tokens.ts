import { createToken, Lexer, type TokenType } from 'chevrotain';

/**
 * Words of the entity query language. Keywords are not case-sensitive; an identifier may not be one.
 * Part 4 widens this list to the whole language.
 */
export const Identifier = createToken({ name: 'Identifier', pattern: /[A-Za-z_$][\w$]*/ });

const keyword = (word: string): TokenType =>
  createToken({ name: word, pattern: new RegExp(word, 'i'), longer_alt: Identifier, label: word.toUpperCase() });

export const And = keyword('and');
export const Or = keyword('or');
export const Not = keyword('not');
export const In = keyword('in');
export const Is = keyword('is');
export const Null = keyword('null');
export const True = keyword('true');
export const False = keyword('false');

/** `{E}`: the instance the condition is about. */
export const Placeholder = createToken({ name: 'Placeholder', pattern: /\{E\}/, label: '{E}' });
export const Parameter = createToken({ name: 'Parameter', pattern: /:[A-Za-z_$][\w$]*/, label: 'a parameter' });
export const Text = createToken({ name: 'Text', pattern: /'(?:[^']|'')*'/, label: 'a text' });
export const Numeral = createToken({ name: 'Numeral', pattern: /-?\d+(?:\.\d+)?/, label: 'a number' });
export const Comparison = createToken({ name: 'Comparison', pattern: /<>|<=|>=|=|<|>/, label: 'a comparison' });
export const Dot = createToken({ name: 'Dot', pattern: /\./, label: "'.'" });
export const Comma = createToken({ name: 'Comma', pattern: /,/, label: "','" });
export const Open = createToken({ name: 'Open', pattern: /\(/, label: "'('" });
export const Close = createToken({ name: 'Close', pattern: /\)/, label: "')'" });
const Blank = createToken({ name: 'Blank', pattern: /\s+/, group: Lexer.SKIPPED });

export const TOKENS: TokenType[] = [
  Blank,
  And,
  Or,
  Not,
  In,
  Is,
  Null,
  True,
  False,
  Identifier,
  Placeholder,
  Parameter,
  Text,
  Numeral,
  Comparison,
  Dot,
  Comma,
  Open,
  Close,
];
