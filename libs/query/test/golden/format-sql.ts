import { type SqlGroup, type SqlNode, sqlTree, tokensOf } from './sql-tree.ts';

const WIDTH = 100;
const STEP = '  ';

/** Words that start a new line in a SELECT that does not fit on one line. */
const CLAUSES = new Set('SELECT FROM CROSS LEFT INNER JOIN WHERE GROUP HAVING ORDER LIMIT OFFSET UNION FOR'.split(' '));
const JOINED = new Set(['CROSS', 'LEFT', 'INNER', 'OUTER']);
const HEADS = new Set([...CLAUSES, ...JOINED, 'DISTINCT', 'LATERAL', 'BY', 'ALL']);

/**
 * Formats a statement in lines of about 100 characters: the same tokens in the same order, only white space between
 * them changes. {@link flatSql} is its inverse for statements with the white space of the compiler.
 */
export const formatSql = (sql: string): string => layout(sqlTree(sql), '', 0);

/** Puts a formatted statement on one line: one space for white space, none after an opening or before a closing bracket. */
export function flatSql(formatted: string): string {
  let text = '';
  for (const token of tokensOf(formatted)) {
    const bracketed = text === '' || /[([]$/.test(text) || /^[)\]]/.test(token.text);
    text += token.spaced && !bracketed ? ` ${token.text}` : token.text;
  }
  return text;
}

/** One line if it fits when started at `column`, else split at the loosest operator. Further lines start with `indent`. */
function layout(nodes: readonly SqlNode[], indent: string, column: number): string {
  const line = flat(nodes);
  const statement = indent === '' && column === 0 && isSelect(nodes);
  if (!statement && column + line.length <= WIDTH) return line;
  if (isSelect(nodes)) return lines(split(nodes, startsClause), indent, (part) => clause(part, indent));
  for (const starts of LOOSEST_FIRST) {
    const parts = split(nodes, starts);
    // The conditions of a WHEN are indented under it, so that they do not look like a further WHEN.
    const inner = starts === isJunction && isWhen(nodes[0]) ? indent + STEP : indent;
    if (parts.length > 1) return lines(parts, inner, (part) => layout(part, inner, inner.length));
  }
  return brokenGroup(nodes, indent, column);
}

const lines = (
  parts: readonly (readonly SqlNode[])[],
  indent: string,
  print: (part: readonly SqlNode[]) => string,
): string => parts.map(print).join(`\n${indent}`);

/** The keywords of a clause and its body. A list that does not fit in the line of the keywords starts a new line. */
function clause(nodes: readonly SqlNode[], indent: string): string {
  const words = nodes.findIndex((node) => !HEADS.has(textOf(node)));
  const end = words === -1 ? nodes.length : words;
  const head = flat(nodes.slice(0, end));
  const body = nodes.slice(end);
  if (body[0] === undefined) return head;
  const inner = indent + STEP;
  const start = head + (body[0].spaced ? ' ' : '');
  const column = indent.length + start.length;
  if (column + flat(body).length > WIDTH && split(body, afterComma).length > 1)
    return `${head}\n${inner}${layout(body, inner, inner.length)}`;
  return start + layout(body, split(body, isJunction).length > 1 ? inner : indent, column);
}

/** Breaks the longest group after its opening bracket; lays out the nodes before and after it by the same rules. */
function brokenGroup(nodes: readonly SqlNode[], indent: string, column: number): string {
  let longest: { readonly group: SqlGroup; readonly at: number } | undefined;
  for (const [at, node] of nodes.entries()) {
    if (node.kind === 'token' || node.nodes.length === 0) continue;
    if (longest === undefined || flat([node]).length > flat([longest.group]).length) longest = { group: node, at };
  }
  if (longest === undefined) return flat(nodes);
  const { group, at } = longest;
  const inner = indent + STEP;
  const before = nodes.slice(0, at);
  const start = before.length === 0 ? '' : layout(before, indent, column) + (group.spaced ? ' ' : '');
  const open = `${start}${group.open}\n${inner}${layout(group.nodes, inner, inner.length)}\n${indent}${group.close}`;
  const after = nodes.slice(at + 1);
  const gap = after[0]?.spaced === true ? ' ' : '';
  return after.length === 0 ? open : `${open}${gap}${layout(after, indent, indent.length + group.close.length + 1)}`;
}

function flat(nodes: readonly SqlNode[]): string {
  let text = '';
  for (const node of nodes) {
    const gap = node.spaced && text !== '' ? ' ' : '';
    text += gap + (node.kind === 'token' ? node.text : flatGroup(node));
  }
  return text;
}

const flatGroup = ({ open, close, nodes }: SqlGroup): string =>
  open === 'CASE' ? `CASE ${flat(nodes)} END` : `${open}${flat(nodes)}${close}`;

type Starts = (node: SqlNode | undefined, previous?: SqlNode) => boolean;

/** Splits before each node for which `starts` holds. */
function split(nodes: readonly SqlNode[], starts: Starts): readonly (readonly SqlNode[])[] {
  const parts: SqlNode[][] = [];
  for (const [at, node] of nodes.entries()) {
    const previous = nodes[at - 1];
    if (previous === undefined || starts(node, previous)) parts.push([node]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

const textOf = (node: SqlNode | undefined): string => (node?.kind === 'token' ? node.text : '');
const isToken = (...words: readonly string[]): Starts => {
  const known = new Set(words);
  return (node) => known.has(textOf(node));
};
const isWhen = isToken('WHEN');
const isJunction = isToken('AND', 'OR');
const afterComma: Starts = (_, previous) => textOf(previous) === ',';
const LOOSEST_FIRST: readonly Starts[] = [afterComma, isToken('WHEN', 'ELSE'), isJunction, isToken('||')];

const isSelect = ([first]: readonly SqlNode[]): boolean => textOf(first) === 'SELECT';

/** The FROM of IS DISTINCT FROM starts no clause, nor does the JOIN of LEFT JOIN. */
const startsClause: Starts = (node, previous) => {
  const word = textOf(node);
  if (word === 'JOIN') return !JOINED.has(textOf(previous));
  if (word === 'FROM') return textOf(previous) !== 'DISTINCT';
  return CLAUSES.has(word);
};
