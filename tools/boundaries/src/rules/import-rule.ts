import type { Rule } from '../rule.ts';
import { importsOf, type ResolvedImport } from '../workspace/import-target.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A rule about each import by itself: `problemOf` says what is wrong with one. */
export const importRule = (
  rule: Omit<Rule, 'check'>,
  problemOf: (one: ResolvedImport, workspace: Workspace) => string | undefined,
): Rule => ({
  ...rule,
  *check(workspace) {
    for (const one of importsOf(workspace)) {
      const what = problemOf(one, workspace);
      if (what !== undefined) yield { file: one.file.path, line: one.statement.line, what };
    }
  },
});
