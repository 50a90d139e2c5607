import type { Finding, Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';

const PAGE = 'docs/security.md';
const SECTION = '## Texts of the query language';

/** What parses texts of the query language: filters, sorts, plans, queries, conditions of policies, data sets. */
const PARSERS: Readonly<Record<string, ReadonlySet<string>>> = {
  '@lintel/query': new Set([
    ...[
      'parseRead',
      'parseQueryRead',
      'parseSelectRead',
      'parseFilter',
      'parseFetchPlan',
      'parseSelect',
      'parseExpression',
    ],
    ...['parsePolicyCondition', 'parseDataSetText', 'parseAggregates', '*'],
  ]),
  '@lintel/security': new Set(['readRowPolicy', 'parseCheckedCondition', '*']),
};

/** A text of a caller that is parsed elsewhere may be executed without the rights of the caller. */
export const queryTextsListed: Rule = {
  id: 'query-texts-listed',
  statement: `${PAGE} has a table of the files that parse texts of the query language, and says of each how the rights of the caller apply`,
  because: 'the text of a caller is a filter of this caller: an inlet that nobody knows of reads with other rights',
  *check(workspace) {
    const listed = filesOf(workspace.texts.get(PAGE) ?? '');
    const parsing = new Set<string>();
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || statement.isTypeOnly || target.kind !== 'package') continue;
      if (!/^(?:apps|libs|services|tools)\//.test(file.path)) continue;
      const names = statement.names.filter((name) => PARSERS[target.name]?.has(name));
      if (names.length > 0) parsing.add(file.path);
      for (const name of names)
        if (!listed.has(file.path))
          yield { file: file.path, line: statement.line, what: `imports ${name}, and ${PAGE} does not list it` };
    }
    for (const [path, line] of listed)
      if (!parsing.has(path)) yield finding(line, `lists ${path}, which parses nothing`);
  },
};

/** The files in the table of the section, with their lines. */
function filesOf(page: string): ReadonlyMap<string, number> {
  const lines = page.split('\n');
  const begin = lines.indexOf(SECTION);
  const files = new Map<string, number>();
  for (let at = begin + 1; begin >= 0 && at < lines.length && !lines[at]?.startsWith('## '); at += 1)
    if (lines[at]?.startsWith('|'))
      for (const [, path = ''] of (lines[at] ?? '').matchAll(/`([^`\s]+\.ts)`/g)) files.set(path, at + 1);
  return files;
}

const finding = (line: number, what: string): Finding => ({ file: PAGE, line, what });
