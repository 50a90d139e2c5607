import { isStorable } from '@lintel/persistence';
import { attributeName } from '../protocol/schema-uris.ts';
import { badRequest, type ScimFailure } from '../protocol/scim-failure.ts';
import { COMPARISONS, type Comparison, type Filter, type FilterValue } from './filter.ts';
import { readTokens, type Token } from './read-tokens.ts';

/** Each level is one of brackets, parentheses or `not`. */
const MAX_DEPTH = 10;
/** Each term is a comparison for each row. */
const MAX_TERMS = 50;

const fail = (message: string): ScimFailure => badRequest('invalidFilter', `filter: ${message}`);

/**
 * Parses the filter of a request.
 *
 * @throws ScimFailure invalidFilter
 */
export function parseFilter(source: string): Filter {
  const parser = new FilterParser(readTokens(source, 'invalidFilter'), '');
  const filter = parser.parseOr();
  parser.assertEnd();
  return filter;
}

/** Parses the filter in the brackets of a path; its paths begin with that of the attribute. */
export function parseValueFilter(tokens: readonly Token[], attribute: string): Filter {
  const parser = new FilterParser(tokens, `${attribute}.`);
  const filter = parser.parseOr();
  parser.assertEnd();
  return filter;
}

class FilterParser {
  readonly #tokens: readonly Token[];
  #prefix: string;
  #at = 0;
  #depth = 0;
  #terms = 0;

  constructor(tokens: readonly Token[], prefix: string) {
    this.#tokens = tokens;
    this.#prefix = prefix;
  }

  parseOr(): Filter {
    return this.#list('or', () => this.#list('and', () => this.#unary()));
  }

  assertEnd(): void {
    if (this.#at < this.#tokens.length) throw fail(`unexpected ${this.#tokens[this.#at]?.text}`);
  }

  #list(kind: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const terms = [first];
    while (this.#takeWord(kind)) terms.push(next());
    return terms.length === 1 ? first : { kind, terms };
  }

  #unary(): Filter {
    if (this.#takeWord('not')) {
      if (!this.#takeSymbol('(')) throw fail('expected ( after not');
      return { kind: 'not', term: this.#inside(')') };
    }
    if (this.#takeSymbol('(')) return this.#inside(')');
    return this.#attribute();
  }

  /** The rest of a group whose first parenthesis or bracket was read. */
  #inside(end: ')' | ']'): Filter {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw fail(`more than ${MAX_DEPTH} levels`);
    const filter = this.parseOr();
    if (!this.#takeSymbol(end)) throw fail(`expected ${end}`);
    this.#depth -= 1;
    return filter;
  }

  /** `path op value`, `path pr`, `path[filter]` or `path[filter].sub op value`. */
  #attribute(): Filter {
    this.#terms += 1;
    if (this.#terms > MAX_TERMS) throw fail(`more than ${MAX_TERMS} terms`);
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word') throw fail(`expected an attribute${token === undefined ? ' at the end' : ''}`);
    this.#at += 1;
    const path = `${this.#prefix}${attributeName(token.text)}`;
    if (!this.#takeSymbol('[')) return this.#condition(path);
    if (this.#prefix !== '') throw fail('brackets inside brackets');
    this.#prefix = `${path}.`;
    const which = this.#inside(']');
    this.#prefix = '';
    const sub = this.#tokens[this.#at];
    if (sub?.kind !== 'sub') return which;
    this.#at += 1;
    return { kind: 'and', terms: [which, this.#condition(`${path}${sub.text}`)] };
  }

  #condition(path: string): Filter {
    if (this.#takeWord('pr')) return { kind: 'present', path };
    const token = this.#tokens[this.#at];
    const comparison = token?.kind === 'word' ? token.text.toLowerCase() : undefined;
    if (!isComparison(comparison)) throw fail(`expected an operator after ${path}: pr, ${COMPARISONS.join(', ')}`);
    this.#at += 1;
    return { kind: 'compare', path, comparison, value: this.#value(path) };
  }

  #value(path: string): FilterValue {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'text') {
      if (!isStorable(token.text)) throw fail(`the value of ${path} contains a character that is not allowed`);
      return token.text;
    }
    if (token?.kind === 'number') return Number(token.text);
    const word = token?.kind === 'word' ? token.text.toLowerCase() : undefined;
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    throw fail(`expected a value for ${path}: a text in quotes, a number, true, false or null`);
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #takeSymbol(symbol: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'symbol' || token.text !== symbol) return false;
    this.#at += 1;
    return true;
  }
}

const isComparison = (text: string | undefined): text is Comparison => COMPARISONS.some((each) => each === text);
