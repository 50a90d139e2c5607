import type { SqlToken } from './split-statements.ts';

/** Reads the tokens of a statement from its beginning on. Keywords are written in capitals. */
export class TokenReader {
  private at = 0;
  private readonly tokens: readonly SqlToken[];

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens;
  }

  /** Whether these keywords come next. */
  sees(...keywords: readonly string[]): boolean {
    return keywords.every((keyword, index) => this.tokens[this.at + index]?.toUpperCase() === keyword);
  }

  /** Passes these keywords if all of them come next, and returns whether they did. */
  takes(...keywords: readonly string[]): boolean {
    const found = this.sees(...keywords);
    if (found) this.at += keywords.length;
    return found;
  }

  /** The token that comes next, as a keyword; empty after the last one. */
  keyword(): string {
    return this.tokens[this.at++]?.toUpperCase() ?? '';
  }

  /** A name as it is written, with its schema. */
  name(): string {
    let name = this.tokens[this.at++] ?? '';
    while (this.tokens[this.at] === '.') {
      name += `.${this.tokens[this.at + 1] ?? ''}`;
      this.at += 2;
    }
    return name;
  }

  /** The name of a table as statements refer to it: `t`, `ONLY t`, `ONLY (t)`, `t *`. */
  table(): string {
    if (this.takes('ONLY')) this.takes('(');
    const name = this.name();
    this.takes(')');
    this.takes('*');
    return name;
  }

  /** What comes next, to the end. */
  private rest(): readonly SqlToken[] {
    return this.tokens.slice(this.at);
  }

  /** What comes next, cut at the commas outside of parentheses. */
  parts(): readonly TokenReader[] {
    const parts: SqlToken[][] = [[]];
    let depth = 0;
    for (const token of this.rest()) {
      if (token === '(' || token === '[') depth += 1;
      if (token === ')' || token === ']') depth -= 1;
      if (token === ',' && depth === 0) parts.push([]);
      else parts.at(-1)?.push(token);
    }
    return parts.map((part) => new TokenReader(part));
  }

  /** Whether a keyword comes anywhere after it. */
  has(keyword: string): boolean {
    return this.rest().some((token) => token.toUpperCase() === keyword);
  }
}
