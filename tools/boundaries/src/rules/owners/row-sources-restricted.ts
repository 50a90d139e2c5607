import type { Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';

const SOURCE = 'libs/query/src/';
const FILE = 'libs/query/src/plan/row-source.ts';
const CLASS = 'RowSource';
const MAKERS = ['openRows', 'rejoinByKey'];

/** They lead to the table of an entity without its row conditions; `*` to everything. */
const TABLES = new Set(['tableOf', 'storageOf', '*']);

/** Every table of an entity in a statement is a row source, and every row source has row conditions. */
export const rowSourcesRestricted: Rule = {
  id: 'row-sources-restricted',
  statement: `In query/src only ${MAKERS.join(' and ')} of plan/row-source.ts make a ${CLASS}, and only that file imports the table of an entity`,
  because:
    "the first adds the caller's row conditions and the second begins at a row that has them: a table from elsewhere has none",
  *check(workspace) {
    for (const { path, isTest, constructions } of workspace.files) {
      if (isTest || !path.startsWith(SOURCE)) continue;
      const made = constructions.filter(({ className }) => className === CLASS);
      for (const { line, within } of made) {
        if (path === FILE && within !== undefined && MAKERS.includes(within)) continue;
        yield { file: path, line, what: `${within ?? 'the module'} makes a ${CLASS}` };
      }
      if (path !== FILE) continue;
      for (const maker of MAKERS)
        if (!made.some(({ within }) => within === maker))
          yield { file: path, line: 1, what: `has no ${maker} that makes a ${CLASS}` };
    }
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || file.path === FILE || !file.path.startsWith(SOURCE) || statement.isTypeOnly) continue;
      if (target.kind !== 'package' || target.name !== '@lintel/metadata') continue;
      for (const name of statement.names)
        if (TABLES.has(name))
          yield { file: file.path, line: statement.line, what: `imports ${name} of ${target.name}` };
    }
  },
};
