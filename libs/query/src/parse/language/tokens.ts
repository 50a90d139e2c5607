import { createToken, Lexer, type TokenType } from 'chevrotain';

/** Tokens that are valid where only a name can follow: after `.` and `as`. */
export const AnyName = createToken({ name: 'AnyName', pattern: Lexer.NA, label: 'a name' });
/** Names of variables and functions. */
export const Identifier = createToken({
  name: 'Identifier',
  pattern: /[A-Za-z_$][\w$]*/,
  label: 'a name',
  categories: [AnyName],
});

const keyword = (word: string): TokenType =>
  createToken({
    name: word.toUpperCase(),
    pattern: new RegExp(word, 'i'),
    longer_alt: Identifier,
    label: word.toUpperCase(),
    categories: [AnyName],
  });

export const Select = keyword('select');
export const Distinct = keyword('distinct');
export const As = keyword('as');
export const From = keyword('from');
export const Where = keyword('where');
export const Group = keyword('group');
export const Having = keyword('having');
export const Order = keyword('order');
export const By = keyword('by');
export const Asc = keyword('asc');
export const Desc = keyword('desc');
export const Nulls = keyword('nulls');
export const First = keyword('first');
export const Last = keyword('last');
export const Join = keyword('join');
export const Inner = keyword('inner');
export const Left = keyword('left');
export const Outer = keyword('outer');
export const Fetch = keyword('fetch');
export const On = keyword('on');
export const And = keyword('and');
export const Or = keyword('or');
export const Not = keyword('not');
export const In = keyword('in');
export const Is = keyword('is');
export const Between = keyword('between');
export const Like = keyword('like');
export const Escape = keyword('escape');
export const Null = keyword('null');
export const Empty = keyword('empty');
export const Member = keyword('member');
export const Of = keyword('of');
export const Exists = keyword('exists');
export const All = keyword('all');
export const Any = keyword('any');
export const Some = keyword('some');
export const Case = keyword('case');
export const When = keyword('when');
export const Then = keyword('then');
export const Else = keyword('else');
export const End = keyword('end');
export const True = keyword('true');
export const False = keyword('false');
export const Trim = keyword('trim');
export const Both = keyword('both');
export const Leading = keyword('leading');
export const Trailing = keyword('trailing');
export const Extract = keyword('extract');
export const Treat = keyword('treat');
export const TypeOf = keyword('type');
export const Count = keyword('count');
export const Sum = keyword('sum');
export const Avg = keyword('avg');
export const Min = keyword('min');
export const Max = keyword('max');
export const CurrentDate = keyword('current_date');
export const CurrentTime = keyword('current_time');
export const CurrentTimestamp = keyword('current_timestamp');

/** `{E}`: the instance a policy is about. */
export const Placeholder = createToken({ name: 'Placeholder', pattern: /\{E\}/, label: '{E}' });
/** `@between`, `@today`, …: macros of the reference. */
export const Macro = createToken({ name: 'Macro', pattern: /@[A-Za-z]+/, label: 'a macro' });
export const Parameter = createToken({ name: 'Parameter', pattern: /:[A-Za-z_$][\w$]*/, label: 'a parameter' });
export const Text = createToken({ name: 'Text', pattern: /'(?:[^']|'')*'/, label: 'a text', line_breaks: true });
/** `{d '…'}`, `{t '…'}`, `{ts '…'}`. */
export const Temporal = createToken({
  name: 'Temporal',
  pattern: /\{\s*(?:d|ts|t)\s*'[^'{}]*'\s*\}/i,
  label: 'a date',
  line_breaks: true,
});
/** A number; a sign before it is an operator. A letter after it is its Java type, which is ignored. */
export const Numeral = createToken({
  name: 'Numeral',
  pattern: /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?:[lLfFdD](?![\w$]))?/,
  label: 'a number',
});
export const Comparison = createToken({ name: 'Comparison', pattern: /<>|!=|<=|>=|=|<|>/, label: 'a comparison' });
export const Concat = createToken({ name: 'Concat', pattern: /\|\|/, label: "'||'" });
export const Plus = createToken({ name: 'Plus', pattern: /\+/, label: "'+'" });
export const Minus = createToken({ name: 'Minus', pattern: /-/, label: "'-'" });
export const Star = createToken({ name: 'Star', pattern: /\*/, label: "'*'" });
export const Slash = createToken({ name: 'Slash', pattern: /\//, label: "'/'" });
export const Dot = createToken({ name: 'Dot', pattern: /\./, label: "'.'" });
export const Comma = createToken({ name: 'Comma', pattern: /,/, label: "','" });
export const Open = createToken({ name: 'Open', pattern: /\(/, label: "'('" });
export const Close = createToken({ name: 'Close', pattern: /\)/, label: "')'" });
const Blank = createToken({ name: 'Blank', pattern: /\s+/, group: Lexer.SKIPPED });
const Comment = createToken({
  name: 'Comment',
  pattern: /--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//,
  group: Lexer.SKIPPED,
  line_breaks: true,
});

/**
 * Words of the entity query language. Keywords are not case-sensitive; they may be names of attributes and
 * aliases, not of variables. Of two words with a common prefix the longer one comes first.
 */
export const TOKENS: TokenType[] = [
  Blank,
  Comment,
  CurrentTimestamp,
  CurrentTime,
  CurrentDate,
  ...[Select, Distinct, Asc, As, From, Where, Group, Having, Order, By, Desc, Nulls, Null, First, Last],
  ...[Join, Inner, Left, Outer, Fetch, On, And, Or, Not, In, Is, Between, Like, Escape, Empty, Member, Of],
  ...[Exists, Extract, All, Any, Some, Case, When, Then, Treat, Trim, Trailing, Else, End, True, False],
  ...[Both, Leading, TypeOf, Count, Sum, Avg, Min, Max],
  Identifier,
  AnyName,
  Placeholder,
  Temporal,
  Macro,
  Parameter,
  Text,
  Numeral,
  Comparison,
  Concat,
  Plus,
  Minus,
  Star,
  Slash,
  Dot,
  Comma,
  Open,
  Close,
];
