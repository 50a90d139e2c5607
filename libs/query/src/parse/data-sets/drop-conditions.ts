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
  const reach = reachOf(tokens);
  const dropped: Found[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'placeholder' || !isMissing(token.name)) continue;
    const found = nullTest(tokens, at) ?? comparison(tokens, at, reach);
    if (found === undefined) continue;
    while ((dropped.at(-1)?.from ?? -1) >= found.from) dropped.pop();
    dropped.push(found);
    at = found.to - 1;
  }
  let end = 0;
  const kept = dropped.flatMap(({ from, to, text }) => {
    const before = tokens.slice(end, from);
    end = to;
    return [...before, { kind: 'other', text } as const];
  });
  return kept.concat(tokens.slice(end));
}

/** Puts `lower(…)` around the value that LIKE compares with a case-insensitive pattern. */
export function foldCase(tokens: readonly TextToken[], isFolded: (name: string) => boolean): TextToken[] {
  const { begins } = reachOf(tokens);
  const added = new Map<number, string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'placeholder' || !isFolded(token.name)) continue;
    const like = preceding(tokens, at);
    if (wordAt(tokens, like) !== 'like') continue;
    const not = preceding(tokens, like);
    const end = wordAt(tokens, not) === 'not' ? not : like;
    added.set(begins[end] ?? 0, 'lower(');
    added.set(preceding(tokens, end) + 1, ')');
  }
  return tokens.flatMap((token, at) => {
    const text = added.get(at);
    return text === undefined ? [token] : [{ kind: 'other', text } as const, token];
  });
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

function comparison(tokens: readonly TextToken[], at: number, { begins, ends, comparisons }: Reach): Found | undefined {
  // Parentheses of its own belong to the placeholder: `in (${p})`.
  let [start, end] = [at, at + 1];
  for (;;) {
    const [before, after] = [preceding(tokens, start), following(tokens, end - 1, 1)[0]];
    if (!isOther(tokens, before, '(') || !isOther(tokens, after, ')')) break;
    if (wordAt(tokens, preceding(tokens, before)) !== 'in' && wordAt(tokens, preceding(tokens, before)) !== undefined)
      break;
    [start, end] = [before, (after ?? end) + 1];
  }
  const [from = 0, to = 0] = [begins[start], ends[end]];
  if (comparisons[from] === comparisons[to]) return undefined;
  const before = preceding(tokens, from);
  const isNegated = wordAt(tokens, before) === 'not';
  const begin = isNegated ? before : from;
  const last = preceding(tokens, to) + 1;
  const neighbours = [wordAt(tokens, preceding(tokens, begin)), wordAt(tokens, following(tokens, last - 1, 1)[0])];
  const isAlternative = neighbours.includes('or') && !neighbours.includes('and');
  return { from: begin, to: last, text: isAlternative ? '1=0' : '1=1' };
}

const isComparison = (token: TextToken | undefined): boolean =>
  (token?.kind === 'other' && COMPARISONS.has(token.text)) ||
  (token?.kind === 'word' && WORD_COMPARISONS.has(token.text.toLowerCase()));

/** Where the condition around a token begins, after blanks, and ends: between the next boundaries of its level. */
interface Reach {
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** Number of comparisons before each token. */
  readonly comparisons: readonly number[];
}

/** One pass for all: a search from each placeholder would take the square of the time. */
function reachOf(tokens: readonly TextToken[]): Reach {
  const [begins, ends, comparisons]: [number[], number[], number[]] = [[], [], [0]];
  const starts = [0];
  for (let at = 0; at <= tokens.length; at += 1) {
    begins.push(starts.at(-1) ?? 0);
    comparisons.push((comparisons[at] ?? 0) + (isComparison(tokens[at]) ? 1 : 0));
    if (isOther(tokens, at, '(')) starts.push(at + 1);
    else if (isOther(tokens, at, ')')) starts.length = Math.max(1, starts.length - 1);
    else if (isBoundary(tokens, at, tokens[at]) || (tokens[at]?.kind === 'space' && begins[at] === at))
      starts[starts.length - 1] = at + 1;
  }
  const stops = [tokens.length];
  for (let at = tokens.length; at >= 0; at -= 1) {
    if (isOther(tokens, at, ')')) stops.push(at);
    else if (isOther(tokens, at, '(')) stops.length = Math.max(1, stops.length - 1);
    else if (isBoundary(tokens, at, tokens[at])) stops[stops.length - 1] = at;
    ends[at] = stops.at(-1) ?? at;
  }
  return { begins, ends, comparisons };
}

/** `not` before `in` and `like` is part of the comparison. */
function isBoundary(tokens: readonly TextToken[], at: number, token: TextToken | undefined): boolean {
  if (token?.kind === 'other') return token.text === ',' || token.text === ';';
  if (token?.kind !== 'word') return false;
  const word = token.text.toLowerCase();
  if (word === 'not') return !WORD_COMPARISONS.has(wordAt(tokens, following(tokens, at, 1)[0]) ?? '');
  return BOUNDARIES.has(word);
}

export const isOther = (tokens: readonly TextToken[], at: number | undefined, text: string): boolean => {
  const token = at === undefined ? undefined : tokens[at];
  return token?.kind === 'other' && token.text === text;
};

export function wordAt(tokens: readonly TextToken[], at: number | undefined): string | undefined {
  const token = at === undefined ? undefined : tokens[at];
  return token?.kind === 'word' ? token.text.toLowerCase() : undefined;
}

/** The last preceding token that is no space; -1 if there is none. */
export function preceding(tokens: readonly TextToken[], at: number): number {
  let before = at - 1;
  while (before >= 0 && tokens[before]?.kind === 'space') before -= 1;
  return before;
}

/** The next tokens that are no spaces. */
export function following(tokens: readonly TextToken[], at: number, count: number): readonly number[] {
  const found: number[] = [];
  for (let next = at + 1; next < tokens.length && found.length < count; next += 1)
    if (tokens[next]?.kind !== 'space') found.push(next);
  return found;
}
