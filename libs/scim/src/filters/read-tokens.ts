import { badRequest, type ScimType } from '../protocol/scim-failure.ts';

export type Token =
  | { readonly kind: 'symbol'; readonly text: '(' | ')' | '[' | ']' }
  /** A path, an operator or a literal. */
  | { readonly kind: 'word'; readonly text: string }
  /** `.value` after a bracket. */
  | { readonly kind: 'sub'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string };

const TOKEN =
  /\s*(?:(?<symbol>[()[\]])|(?<sub>\.[A-Za-z$][\w$-]*)|(?<word>[A-Za-z$][\w$.:-]*)|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=$|[\s)\]]))/y;

/** Maximum length of a filter or path. */
const MAX_LENGTH = 4_096;

/** Splits a filter or a path. Each character is read once. */
export function readTokens(source: string, scimType: ScimType): readonly Token[] {
  if (source.length > MAX_LENGTH) throw badRequest(scimType, `expected at most ${MAX_LENGTH} characters`);
  const text = source.trimEnd();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) throw badRequest(scimType, `unexpected text at character ${at + 1}`);
    tokens.push(tokenOf(groups, scimType));
  }
  return tokens;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, scimType: ScimType): Token {
  const { symbol, sub, word, text, number } = groups;
  if (symbol !== undefined) return { kind: 'symbol', text: symbol as '(' };
  if (sub !== undefined) return { kind: 'sub', text: sub.toLowerCase() };
  if (word !== undefined) return { kind: 'word', text: word };
  if (number !== undefined) return { kind: 'number', text: number };
  try {
    return { kind: 'text', text: JSON.parse(text ?? '') as string };
  } catch {
    throw badRequest(scimType, 'a text in quotes is not valid JSON');
  }
}
