import type { SqlToken } from './split-statements.ts';

/** Reads the tokens of a statement from its beginning on. Keywords are written in capitals. */
export class TokenReader {
  private at = 0;
  private readonly tokens: readonly SqlToken[];

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens;
  }

  /** Whether these keywords are next. */
  sees(...keywords: readonly string[]): boolean {
    return keywords.every((keyword, index) => this.tokens[this.at + index]?.toUpperCase() === keyword);
  }

  /** Skips these keywords if all of them are next, and returns whether they were. */
  takes(...keywords: readonly string[]): boolean {
    const found = this.sees(...keywords);
    if (found) this.at += keywords.length;
    return found;
  }

  /** The next token, as a keyword; empty after the last one. */
  keyword(): string {
    return this.tokens[this.at++]?.toUpperCase() ?? '';
  }

  /** A name as written, with its schema. */
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

  /** The remaining tokens. */
  private rest(): readonly SqlToken[] {
    return this.tokens.slice(this.at);
  }

  /** The remaining tokens, split at the commas outside of parentheses. */
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

  /** Whether the remaining tokens contain a keyword. */
  has(keyword: string): boolean {
    return this.rest().some((token) => token.toUpperCase() === keyword);
  }
}
