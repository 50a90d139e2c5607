import {
  type Draft,
  type DraftGroup,
  isGroup,
  type Joined,
  nextKey,
  type Quantifier,
} from '../../data/list/filter/filter-draft.ts';
import { userValue } from '../../data/list/filter/user-values.ts';
import { LIKE } from './rule-text.ts';

const TOKEN = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|(:\w+)|(\{E\}|[A-Za-z_]\w*)((?:\.\w+)*)|(<>|<=|>=|[=<>(),]))/y;

interface Token {
  readonly kind: 'text' | 'number' | 'parameter' | 'path' | 'sign';
  /** The variable of a path, or its keyword. */
  readonly value: string;
  /** The rest of a path after its variable, without the first dot. */
  readonly rest: string;
}

class NotBuilt extends Error {}

/**
 * The draft of the filter builder for a condition that `textOfRule` has written; undefined for other conditions, which
 * are edited as text.
 */
export function draftOfRule(text: string): DraftGroup | undefined {
  try {
    return new RuleReader(tokensOf(text)).readAll();
  } catch (error) {
    if (error instanceof NotBuilt) return undefined;
    throw error;
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const end = text.trimEnd().length;
  while (at < end) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw new NotBuilt();
    const [, quoted, number, parameter, name, path, sign] = found;
    at = TOKEN.lastIndex;
    if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted.slice(1, -1).replaceAll("''", "'"), rest: '' });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number, rest: '' });
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', value: parameter.slice(1), rest: '' });
    else if (name !== undefined) tokens.push({ kind: 'path', value: name, rest: (path ?? '').slice(1) });
    else tokens.push({ kind: 'sign', value: sign ?? '', rest: '' });
  }
  return tokens;
}

/** Reads the conditions by recursive descent; whatever the builder does not write ends it. */
class RuleReader {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  readAll(): DraftGroup {
    const found = this.readAny('{E}');
    if (this.at < this.tokens.length) throw new NotBuilt();
    return asGroup(found);
  }

  private readAny(variable: string): Draft {
    return this.readJoined('or', 'OR', () => this.readJoined('and', 'AND', () => this.readMember(variable)));
  }

  private readJoined(word: string, joined: Joined, read: () => Draft): Draft {
    const members = [read()];
    while (this.accepts(word)) members.push(read());
    const [only] = members;
    return members.length === 1 && only !== undefined ? only : { key: nextKey(), joined, members };
  }

  private readMember(variable: string): Draft {
    if (this.accepts('exists')) return this.readMembers(variable, 'some');
    if (this.accepts('not')) {
      if (this.accepts('exists')) return this.readMembers(variable, 'none');
      const { joined, members } = asGroup(this.readInner(variable));
      const isOne = joined === 'AND' && members.length > 1;
      return { key: nextKey(), joined: 'NOT', members: isOne ? [{ key: nextKey(), joined, members }] : members };
    }
    if (this.peek()?.value === '(') return asGroup(this.readInner(variable));
    return this.readTest(variable);
  }

  private readInner(variable: string): Draft {
    this.expect('(');
    const found = this.readAny(variable);
    this.expect(')');
    return found;
  }

  private readMembers(outer: string, found: Quantifier): DraftGroup {
    this.expect('(');
    this.expect('select');
    const variable = this.next('path').value;
    this.expect('from');
    const { value, rest: path } = this.next('path');
    if (value !== outer || path === '' || this.next('path').value !== variable) throw new NotBuilt();
    this.expect('where');
    const inner = asGroup(this.readAny(variable));
    this.expect(')');
    const isEvery = found === 'none' && inner.joined === 'NOT';
    const quantifier = isEvery ? 'every' : found;
    const isAll = isEvery ? inner.members.length === 1 : inner.joined === 'AND';
    if (isEvery && !isAll) throw new NotBuilt();
    // The group of a collection joins its members by "and".
    const members = isEvery ? membersOf(inner.members[0]) : isAll ? inner.members : [inner];
    return { key: nextKey(), joined: 'AND', of: { quantifier, path }, members };
  }

  private readTest(variable: string): Draft {
    const isLower = this.accepts('lower');
    if (isLower) this.expect('(');
    const { value: owner, rest } = this.next('path');
    if (owner !== variable || rest === '') throw new NotBuilt();
    const condition = { key: nextKey(), path: rest.replace(/\.id$/, '') };
    if (isLower) {
      this.expect(')');
      return { ...condition, path: rest, ...this.readLike() };
    }
    if (this.accepts('is')) {
      const operator = this.accepts('not') ? 'notEmpty' : 'isNull';
      this.expect('null');
      return { ...condition, path: rest, operator, value: undefined };
    }
    const isNegated = this.accepts('not');
    if (this.accepts('in')) {
      this.expect('(');
      const values = [this.readValue()];
      while (this.accepts(',')) values.push(this.readValue());
      this.expect(')');
      return { ...condition, operator: isNegated ? 'notIn' : 'in', value: values };
    }
    const operator = this.next('sign').value;
    if (isNegated || /[(),]/.test(operator)) throw new NotBuilt();
    return { ...condition, operator, value: this.readValue() };
  }

  private readLike(): { readonly operator: string; readonly value: string } {
    const negation = this.accepts('not') ? 'not ' : '';
    for (const word of ['like', 'lower', '(']) this.expect(word);
    const pattern = this.next('text').value;
    for (const word of [')', 'escape']) this.expect(word);
    if (this.next('text').value !== '\\') throw new NotBuilt();
    for (const [operator, [before, after, negated]] of Object.entries(LIKE)) {
      if (negated !== negation || !pattern.startsWith(before) || !pattern.endsWith(after)) continue;
      const words = pattern.slice(before.length, pattern.length - after.length);
      if (/^(?:[^\\%_]|\\[\\%_])+$/.test(words)) return { operator, value: words.replace(/\\(.)/g, '$1') };
    }
    throw new NotBuilt();
  }

  private readValue(): unknown {
    const { kind, value } = this.tokens[this.at++] ?? {};
    if (kind === 'text' || kind === 'number') return value;
    if (kind === 'parameter' && value !== undefined) return userValue(value);
    if (kind === 'path' && (value === 'true' || value === 'false')) return value === 'true';
    throw new NotBuilt();
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }

  /** Whether the next token is the word or sign, which is then read. */
  private accepts(word: string): boolean {
    const token = this.peek();
    const isIt = token?.value.toLowerCase() === word && token.rest === '' && token.kind !== 'text';
    if (isIt) this.at += 1;
    return isIt;
  }

  private expect(word: string): void {
    if (!this.accepts(word)) throw new NotBuilt();
  }

  private next(kind: Token['kind']): Token {
    const token = this.tokens[this.at++];
    if (token?.kind !== kind) throw new NotBuilt();
    return token;
  }
}

const asGroup = (draft: Draft): DraftGroup =>
  isGroup(draft) && draft.of === undefined ? draft : { key: nextKey(), joined: 'AND', members: [draft] };

const membersOf = (draft: Draft | undefined): readonly Draft[] =>
  draft === undefined ? [] : asGroup(draft).joined === 'AND' ? asGroup(draft).members : [draft];
