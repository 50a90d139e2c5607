/** A test, or a golden case, that a row names: the file from the root of the repository and the title in it. */
export interface CitedTest {
  readonly path: string;
  readonly title: string;
}

/** A row of a contract and the tests that assert it. */
export interface CoverageRow {
  /** Number of the line in the page, from 1. */
  readonly line: number;
  readonly row: string;
  readonly tests: readonly CitedTest[];
  /** Why the row needs no test: the words after `excused`, else nothing. */
  readonly excuse: string | undefined;
}

const HEADER = /^\|\s*Row\s*\|\s*Tests\s*\|$/;
const RULE = /^\|[\s:-]+\|[\s:-]+\|$/;
const EXCUSE = /^excused \((\[[^\]]+\]\(\S*\/decisions\.md#\S+\))\)$/;
const CITATION = /^(?<path>\S+(?:\.test\.ts|\/cases\/\S+\/request\.json)) › (?<title>.+)$/;

/**
 * The rows of a page of contract coverage: of every table headed `| Row | Tests |`.
 *
 * @throws Error naming the line that has not the form
 */
export function coverageRows(page: string): readonly CoverageRow[] {
  const rows: CoverageRow[] = [];
  let inTable = false;
  for (const [index, text] of page.split('\n').entries()) {
    const line = text.trim();
    if (!line.startsWith('|')) inTable = false;
    else if (HEADER.test(line)) inTable = true;
    else if (!inTable) throw new Error(`line ${index + 1}: a table is headed "| Row | Tests |"`);
    else if (!RULE.test(line)) rows.push(rowOf(line, index + 1));
  }
  return rows;
}

function rowOf(text: string, line: number): CoverageRow {
  const cells = text
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [row, tests] = cells;
  if (cells.length !== 2 || !row || !tests) throw new Error(`line ${line}: a row has a place and its tests`);
  const excuse = EXCUSE.exec(tests)?.[1];
  return { line, row, tests: excuse === undefined ? citations(tests, line) : [], excuse };
}

const citations = (cell: string, line: number): readonly CitedTest[] =>
  cell.split(/<br\s*\/?>/).map((part) => {
    const cited = CITATION.exec(part.trim().replace(/^`([^`].*)`$/, '$1'));
    const { path, title } = cited?.groups ?? {};
    if (path === undefined || title === undefined)
      throw new Error(
        `line ${line}: "${part.trim()}" is no "path/to/file.test.ts › title" and no "excused ([…](…/decisions.md#…))"`,
      );
    return { path, title };
  });
