const TEST_CALL = /(?:^|[^\w.$])(?:test|it)(?:\.(?:only|concurrent|failing))*$/;
const EACH_CALL = /(?:^|[^\w.$])(?:test|it)(?:\.(?:only|concurrent|failing))*\.each(?:<[^;]*>)?$/;
/** A slash after one of these begins a regular expression, not a division. */
const BEFORE_EXPRESSION = /(?:^|[([{,;:=!&|?+\-*%<>~^]|\breturn|\btypeof|\bcase)$/;
/** Longer than the type parameters of any `each`. */
const LOOK_BACK = 1000;

/** What an open parenthesis holds: the arguments of a test, the table of an `each`, or anything else. */
type Parenthesis = 'test' | 'table' | 'other';

/**
 * The titles of the tests of a source: the literal first argument of `test(…)`, `it(…)`, `test.each(…)(…)` and
 * ``test.each`…`(…)``, a template literal as it is written. Skipped tests count as none.
 */
export function testTitles(source: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const open: Parenthesis[] = [];
  /** The source so far without spaces, comments and the content of literals. */
  let code = '';
  let tableEnded = false;
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (/\s/.test(character)) {
      if (/[\w$]$/.test(code)) code += ' ';
      at += 1;
    } else if (source.startsWith('//', at) || source.startsWith('/*', at)) {
      at = commentEnd(source, at);
    } else if (character === "'" || character === '"' || character === '`') {
      const end = literalEnd(source, at);
      if (code.endsWith('(') && open.at(-1) === 'test') titles.add(unescaped(source.slice(at + 1, end - 1)));
      tableEnded = character === '`' && EACH_CALL.test(code.slice(-LOOK_BACK).trimEnd());
      code += "''";
      at = end;
    } else if (character === '/' && BEFORE_EXPRESSION.test(code.slice(-LOOK_BACK).trimEnd())) {
      at = expressionEnd(source, at);
      code += '0';
    } else {
      if (character === '(') open.push(kindOf(code, tableEnded));
      tableEnded = character === ')' && open.pop() === 'table';
      code += character;
      at += 1;
    }
  }
  return titles;
}

function kindOf(code: string, tableEnded: boolean): Parenthesis {
  if (tableEnded) return 'test';
  const before = code.slice(-LOOK_BACK).trimEnd();
  if (TEST_CALL.test(before)) return 'test';
  return EACH_CALL.test(before) ? 'table' : 'other';
}

function commentEnd(source: string, start: number): number {
  const [terminator, length] = source.startsWith('//', start) ? ['\n', 1] : ['*/', 2];
  const end = source.indexOf(terminator, start + 2);
  return end < 0 ? source.length : end + length;
}

/** The position after the closing quote; the parts in `${}` of a template literal are skipped with their own literals. */
function literalEnd(source: string, start: number): number {
  const quote = source.charAt(start);
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\\') at += 1;
    else if (character === quote) return at + 1;
    else if (quote === '`' && source.startsWith('${', at)) at = placeholderEnd(source, at + 2) - 1;
  }
  return source.length;
}

function placeholderEnd(source: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < source.length && depth > 0) {
    const character = source.charAt(at);
    if (character === "'" || character === '"' || character === '`') at = literalEnd(source, at);
    else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      at += 1;
    }
  }
  return at;
}

function expressionEnd(source: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\n') return at;
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at + 1;
  }
  return source.length;
}

const unescaped = (raw: string): string => raw.replaceAll(/\\(['"`\\$])/g, '$1');
