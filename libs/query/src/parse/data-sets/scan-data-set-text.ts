/** An error in the text of a data set, with its position. */
export class DataSetTextError extends Error {
  constructor(reason: string, text: string, at: number) {
    const lines = text.slice(0, at).split('\n');
    super(`${reason} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`);
    this.name = 'DataSetTextError';
  }
}

export type TextToken =
  /** Blanks and comments. */
  | { readonly kind: 'space'; readonly text: string }
  /** A constant, or a name in quotes: never looked into. */
  | { readonly kind: 'quoted'; readonly text: string }
  /** A name, a keyword or a number; with dots. */
  | { readonly kind: 'word'; readonly text: string }
  /** `${name}` */
  | { readonly kind: 'placeholder'; readonly name: string }
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'other'; readonly text: string };

const PATTERNS = {
  space: /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y,
  quoted: /'(?:[^']|'')*'|"(?:[^"]|"")*"/y,
  escaped: /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y,
  dollars: /\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/y,
  unended: /['"]|\/\*|\$(?:[A-Za-z_]\w*)?\$/y,
  placeholder: /\$\{\s*([A-Za-z_][\w.]*(?:@\w+)?)\s*\}/y,
  word: /[\p{L}_\d][\p{L}\w.$]*(?:@[\p{L}\w]+)?/uy,
  operator: /<>|!=|<=|>=|\|\||::|[\s\S]/y,
} as const;

/** A placeholder inside of a constant cannot be bound: a value never becomes part of the text. */
const INSIDE = /\$\{/;

/** Splits a text of SQL, or of the entity query language, into tokens, among which placeholders are searched. */
export function scanDataSetText(text: string): readonly TextToken[] {
  const tokens: TextToken[] = [];
  let at = 0;
  const match = (name: keyof typeof PATTERNS): RegExpExecArray | null => {
    const pattern = PATTERNS[name];
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const [token, length] = nextToken(text, at, match);
    if ((token.kind === 'quoted' || token.kind === 'space') && INSIDE.test(token.text) && !isComment(token.text))
      throw new DataSetTextError('A placeholder cannot stand inside of a constant: join texts instead', text, at);
    tokens.push(token);
    at += length;
  }
  return tokens;
}

const isComment = (text: string): boolean => text.startsWith('--') || text.startsWith('/*');

type Match = (name: keyof typeof PATTERNS) => RegExpExecArray | null;

function nextToken(text: string, at: number, match: Match): readonly [TextToken, number] {
  const space = match('space');
  if (space !== null) return [{ kind: 'space', text: space[0] }, space[0].length];
  const quoted = match('escaped') ?? match('quoted') ?? match('dollars');
  if (quoted !== null) return [{ kind: 'quoted', text: quoted[0] }, quoted[0].length];
  // Looking for the end of each again would take the square of the time.
  const open = match('unended');
  if (open !== null)
    throw new DataSetTextError(`The ${open[0] === '/*' ? 'comment' : 'constant'} does not end`, text, at);
  const placeholder = match('placeholder');
  if (placeholder !== null) return [{ kind: 'placeholder', name: placeholder[1] ?? '' }, placeholder[0].length];
  if (text.startsWith('${', at))
    throw new DataSetTextError('Expected the name of a parameter, or <Band>.<field>, and a brace after it', text, at);
  if (text.startsWith('[[', at)) return [{ kind: 'open' }, 2];
  if (text.startsWith(']]', at)) return [{ kind: 'close' }, 2];
  const word = match('word');
  if (word !== null) return [{ kind: 'word', text: axisName(word[0]) }, word[0].length];
  const operator = match('operator')?.[0] ?? '';
  return [{ kind: 'other', text: operator }, operator.length];
}

/** `X_dynamic_header@field` names a field of an axis of a cross band: `X_dynamic_header_field`. */
export const axisName = (name: string): string => name.replace(/(dynamic_header|master_data)@(\w+)$/, '$1_$2');
