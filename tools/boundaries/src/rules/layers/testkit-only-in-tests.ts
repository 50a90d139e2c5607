import type { Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';

const TESTKIT = 'libs/testkit';
/** Development only as a whole: they may start what tests start. */
const BENCHMARKS = 'bench';

/** What is not a test knows no test. */
export const testkitOnlyInTests: Rule = {
  id: 'testkit-only-in-tests',
  statement: 'No source imports @lintel/testkit, a test or a file of a test folder',
  because: 'they are for development only and are not there in production',
  *check(workspace) {
    const tests = new Set(workspace.files.filter((file) => file.isTest).map((file) => file.path));
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || file.packageFolder === TESTKIT) continue;
      const isTestkit =
        file.packageFolder !== BENCHMARKS && target.kind === 'package' && target.workspacePackage?.folder === TESTKIT;
      if (isTestkit || (target.kind === 'file' && tests.has(target.path)))
        yield { file: file.path, line: statement.line, what: `imports ${statement.specifier}` };
    }
  },
};
