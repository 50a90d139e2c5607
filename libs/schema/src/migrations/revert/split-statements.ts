/**
 * A piece of a statement: a word or a number, a name in quotes as it is written, one other character, or `''` for a
 * constant with any content. White space and comments are not tokens.
 */
export type SqlToken = string;

const PATTERNS = [
  // White space as the server defines it: other characters, such as a no-break space, are letters.
  { kind: 'none', pattern: /[ \t\n\r\f\v]+|--[^\n\r]*/y },
  { kind: 'constant', pattern: /[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)/y },
  { kind: 'constant', pattern: /(?:[bBnNxX]|[uU]&)?'(?:[^']|'')*(?:'|$)/y },
  { kind: 'token', pattern: /(?:[uU]&)?"(?:[^"]|"")*(?:"|$)/y },
  // Before the dollars: in `a$b$c` they are part of a name.
  { kind: 'token', pattern: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y },
  { kind: 'token', pattern: /\d[\w.]*/y },
  { kind: 'constant', pattern: /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$(?:[\s\S]*?\$\1\$|[\s\S]*$)/y },
  { kind: 'token', pattern: /[\s\S]/y },
] as const;

/**
 * The statements of a text of SQL, each as its tokens; statements without tokens (comments only) are omitted. Splits at
 * semicolons outside of constants, quotes, comments, parentheses and `BEGIN ATOMIC … END`. Pure; accepts any text, and
 * reads unclosed constructs to the end, since the server would not run them.
 */
export function splitStatements(text: string): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [];
  let statement: SqlToken[] = [];
  let depth = 0;
  for (const token of tokensOf(text)) {
    if (token === ';' && depth <= 0) {
      statements.push(statement);
      statement = [];
      depth = 0;
      continue;
    }
    depth += deeper(token, statement);
    statement.push(token);
  }
  return [...statements, statement].filter((tokens) => tokens.length > 0);
}

/** How much a token changes the depth that semicolons are at, after the others of its statement. */
function deeper(token: SqlToken, before: readonly SqlToken[]): number {
  if (token === '(') return 1;
  if (token === ')') return -1;
  if (before[0]?.toUpperCase() !== 'CREATE') return 0;
  const word = token.toUpperCase();
  if (word === 'ATOMIC') return before.at(-1)?.toUpperCase() === 'BEGIN' ? 1 : 0;
  if (word !== 'CASE' && word !== 'END') return 0;
  if (!/\bBEGIN ATOMIC\b/i.test(before.join(' '))) return 0;
  return word === 'CASE' ? 1 : -1;
}

function* tokensOf(text: string): Generator<SqlToken> {
  for (let at = 0; at < text.length; ) {
    const comment = commentLength(text, at);
    if (comment > 0) {
      at += comment;
      continue;
    }
    const { kind, found } = nextPiece(text, at);
    at += found.length;
    if (kind !== 'none') yield kind === 'constant' ? "''" : found;
  }
}

function nextPiece(text: string, at: number) {
  for (const { kind, pattern } of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, found };
  }
  throw new RangeError(`Nothing to read at ${at}`);
}

/** Of a comment between slashes and stars that begins here; 0 without one. They may be nested. */
function commentLength(text: string, at: number): number {
  if (!text.startsWith('/*', at)) return 0;
  const delimiter = /\/\*|\*\//g;
  delimiter.lastIndex = at;
  let depth = 0;
  for (let found = delimiter.exec(text); found !== null; found = delimiter.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return delimiter.lastIndex - at;
  }
  return text.length - at;
}
