import type { Rule } from '../../rule.ts';
import { importsOf, isWithin } from '../../workspace/import-target.ts';

const BOOTSTRAP = 'tools/bootstrap';

/** The first command in a fresh clone runs before anything is installed. */
export const bootstrapNeedsNothing: Rule = {
  id: 'bootstrap-needs-nothing',
  statement: 'tools/bootstrap imports nothing but itself and the modules of Node',
  because: 'it runs in a fresh clone, before the packages are installed',
  *check(workspace) {
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || !isWithin(file.path, BOOTSTRAP)) continue;
      if (target.kind === 'package' || (target.kind === 'file' && !isWithin(target.path, BOOTSTRAP)))
        yield { file: file.path, line: statement.line, what: `imports ${statement.specifier}` };
    }
  },
};
