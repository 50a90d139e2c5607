import type { TextToken } from './scan-data-set-text.ts';

const COMPARISONS = new Set(['=', '<>', '!=', '<', '>', '<=', '>=']);
const WORD_COMPARISONS = new Set(['like', 'ilike', 'in']);
/** Words that delimit a condition. */
const BOUNDARIES = new Set([
  ...['and', 'or', 'not', 'where', 'on', 'having', 'when', 'then', 'else', 'end', 'select', 'by', 'between'],
  ...['group', 'order', 'limit', 'offset', 'fetch', 'union', 'intersect', 'except', 'returning', 'for', 'window'],
  ...['join', 'left', 'inner', 'right', 'full', 'cross', 'filter', 'over'],
]);

/**
 * Replaces the comparison around each placeholder without a value by a neutral one: `1=1`, or `1=0` as an operand of
 * OR (contract/report-data.md#data). `${p} is null` becomes `1=1`, `${p} is not null` `1=0`.
 * Placeholders elsewhere are not changed.
 *
 * @param tokens without `[[` and `]]`
 */
export function dropConditions(tokens: readonly TextToken[], isMissing: (name: string) => boolean): TextToken[] {
  const kept = [...tokens];
  for (let at = 0; at < kept.length; at += 1) {
    const token = kept[at];
    if (token?.kind !== 'placeholder' || !isMissing(token.name)) continue;
    const found = nullTest(kept, at) ?? comparison(kept, at);
    if (found === undefined) continue;
    const replacement: TextToken = { kind: 'other', text: found.text };
    kept.splice(found.from, found.to - found.from, replacement);
    at = found.from;
  }
  return kept;
}

/** Puts `lower(…)` around the value that LIKE compares with a case-insensitive pattern. */
export function foldCase(tokens: readonly TextToken[], isFolded: (name: string) => boolean): TextToken[] {
  const kept = [...tokens];
  for (let at = 0; at < kept.length; at += 1) {
    const token = kept[at];
    if (token?.kind !== 'placeholder' || !isFolded(token.name)) continue;
    const like = preceding(kept, at);
    if (wordAt(kept, like) !== 'like') continue;
    const not = preceding(kept, like);
    const end = wordAt(kept, not) === 'not' ? not : like;
    const from = reachBack(kept, end);
    const first = from + kept.slice(from, end).findIndex(({ kind }) => kind !== 'space');
    const last = preceding(kept, end) + 1;
    kept.splice(last, 0, { kind: 'other', text: ')' });
    kept.splice(first, 0, { kind: 'other', text: 'lower(' });
    at += 2;
  }
  return kept;
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** `${p} is null`, `${p} is not null`. */
function nullTest(tokens: readonly TextToken[], at: number): Found | undefined {
  const indexes = following(tokens, at, 3);
  const words = indexes.map((index) => wordAt(tokens, index));
  if (words[0] === 'is' && words[1] === 'null') return { from: at, to: (indexes[1] ?? at) + 1, text: '1=1' };
  if (words[0] === 'is' && words[1] === 'not' && words[2] === 'null')
    return { from: at, to: (indexes[2] ?? at) + 1, text: '1=0' };
  return undefined;
}

function comparison(tokens: readonly TextToken[], at: number): Found | undefined {
  // Parentheses of its own belong to the placeholder: `in (${p})`.
  let [start, end] = [at, at + 1];
  for (;;) {
    const [before, after] = [preceding(tokens, start), following(tokens, end - 1, 1)[0]];
    if (!isOther(tokens, before, '(') || !isOther(tokens, after, ')')) break;
    if (wordAt(tokens, preceding(tokens, before)) !== 'in' && wordAt(tokens, preceding(tokens, before)) !== undefined)
      break;
    [start, end] = [before, (after ?? end) + 1];
  }
  const from = reachBack(tokens, start);
  const to = reachOn(tokens, end);
  const inside = tokens.slice(from, to);
  if (!inside.some(isComparison)) return undefined;
  const first = from + inside.findIndex(({ kind }) => kind !== 'space');
  const before = preceding(tokens, first);
  const isNegated = wordAt(tokens, before) === 'not';
  const begin = isNegated ? before : first;
  const last = to - [...inside].reverse().findIndex(({ kind }) => kind !== 'space');
  const neighbours = [wordAt(tokens, preceding(tokens, begin)), wordAt(tokens, following(tokens, last - 1, 1)[0])];
  const isAlternative = neighbours.includes('or') && !neighbours.includes('and');
  return { from: begin, to: last, text: isAlternative ? '1=0' : '1=1' };
}

const isComparison = (token: TextToken): boolean =>
  (token.kind === 'other' && COMPARISONS.has(token.text)) ||
  (token.kind === 'word' && WORD_COMPARISONS.has(token.text.toLowerCase()));

/** Where the condition around `start` begins: after the preceding boundary of the same level. */
function reachBack(tokens: readonly TextToken[], start: number): number {
  let depth = 0;
  for (let at = start - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (isOther(tokens, at, ')')) depth += 1;
    else if (isOther(tokens, at, '(')) {
      if (depth === 0) return at + 1;
      depth -= 1;
    } else if (depth === 0 && isBoundary(tokens, at, token)) return at + 1;
  }
  return 0;
}

/** Where it ends: at the following boundary. */
function reachOn(tokens: readonly TextToken[], end: number): number {
  let depth = 0;
  for (let at = end; at < tokens.length; at += 1) {
    if (isOther(tokens, at, '(')) depth += 1;
    else if (isOther(tokens, at, ')')) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth === 0 && isBoundary(tokens, at, tokens[at])) return at;
  }
  return tokens.length;
}

/** `not` before `in` and `like` is part of the comparison. */
function isBoundary(tokens: readonly TextToken[], at: number, token: TextToken | undefined): boolean {
  if (token?.kind === 'other') return token.text === ',' || token.text === ';';
  if (token?.kind !== 'word') return false;
  const word = token.text.toLowerCase();
  if (word === 'not') return !WORD_COMPARISONS.has(wordAt(tokens, following(tokens, at, 1)[0]) ?? '');
  return BOUNDARIES.has(word);
}

const isOther = (tokens: readonly TextToken[], at: number | undefined, text: string): boolean => {
  const token = at === undefined ? undefined : tokens[at];
  return token?.kind === 'other' && token.text === text;
};

function wordAt(tokens: readonly TextToken[], at: number | undefined): string | undefined {
  const token = at === undefined ? undefined : tokens[at];
  return token?.kind === 'word' ? token.text.toLowerCase() : undefined;
}

/** The last preceding token that is no space; -1 if there is none. */
function preceding(tokens: readonly TextToken[], at: number): number {
  let before = at - 1;
  while (before >= 0 && tokens[before]?.kind === 'space') before -= 1;
  return before;
}

/** The next tokens that are no spaces. */
function following(tokens: readonly TextToken[], at: number, count: number): readonly number[] {
  const found: number[] = [];
  for (let next = at + 1; next < tokens.length && found.length < count; next += 1)
    if (tokens[next]?.kind !== 'space') found.push(next);
  return found;
}
