/** A token of a statement, or a group: a pair of brackets or CASE … END, with the nodes between. */
export type SqlNode = SqlToken | SqlGroup;

export interface SqlToken {
  readonly kind: 'token';
  readonly text: string;
  /** Whether the statement has white space before it. */
  readonly spaced: boolean;
}

export interface SqlGroup {
  readonly kind: 'group';
  readonly open: string;
  readonly close: string;
  readonly spaced: boolean;
  readonly nodes: readonly SqlNode[];
}

const TOKEN =
  /(?<space>\s*)(?<text>E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|[()[\],]|\|\||[^\s()[\],'"|]+|\|)/gsy;
const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['CASE', 'END'],
]);

/**
 * Splits a statement into tokens. A literal or a quoted name is one token, so its content is never read as a bracket or a word.
 *
 * @throws Error when a literal or a quoted name has no end
 */
export function tokensOf(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let end = 0;
  for (const match of sql.trim().matchAll(TOKEN)) {
    tokens.push({ kind: 'token', text: match.groups?.['text'] ?? '', spaced: match.groups?.['space'] !== '' });
    end = match.index + match[0].length;
  }
  if (end !== sql.trim().length) throw new Error(`No token at: ${sql.trim().slice(end, end + 40)}`);
  return tokens;
}

/** @throws Error when brackets or CASE … END do not match */
export function sqlTree(sql: string): readonly SqlNode[] {
  const tokens = tokensOf(sql);
  let at = 0;
  const read = (close: string | undefined): readonly SqlNode[] => {
    const nodes: SqlNode[] = [];
    for (;;) {
      const token = tokens[at];
      if (token?.text === close) return nodes;
      if (token === undefined) throw new Error(`${close} is missing: ${sql}`);
      if (token.text === ')' || token.text === ']') throw new Error(`${token.text} has no beginning: ${sql}`);
      at += 1;
      const end = CLOSING.get(token.text);
      if (end === undefined) nodes.push(token);
      else {
        nodes.push({ kind: 'group', open: token.text, close: end, spaced: token.spaced, nodes: read(end) });
        at += 1;
      }
    }
  };
  return read(undefined);
}
