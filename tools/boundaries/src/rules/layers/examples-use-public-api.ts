import type { Rule } from '../../rule.ts';
import { groupOf } from '../../workspace/build-workspace.ts';
import { importsOf, packageOf } from '../../workspace/import-target.ts';

/** What application teams build with; `http` only for `fromExpress`. */
const PUBLIC = new Set(['libs/application', 'libs/metadata', 'libs/react', 'libs/security', 'libs/http']);
const PUBLIC_HTTP = new Set(['fromExpress']);

export const examplesUsePublicApi: Rule = {
  id: 'examples-use-public-api',
  statement:
    'Examples import no package of the platform but application, metadata, react, security, and http for fromExpress',
  because: 'an example proves that the public API is enough',
  *check(workspace) {
    for (const one of importsOf(workspace)) {
      const { file, statement } = one;
      if (groupOf(file.path) !== 'examples') continue;
      const imported = packageOf(one, workspace);
      if (imported === undefined || imported.folder === file.packageFolder) continue;
      if (!PUBLIC.has(imported.folder))
        yield { file: file.path, line: statement.line, what: `imports ${statement.specifier}` };
      else if (imported.folder === 'libs/http' && !statement.names.every((name) => PUBLIC_HTTP.has(name)))
        yield {
          file: file.path,
          line: statement.line,
          what: `imports ${statement.names.join(', ')} of ${imported.name}`,
        };
    }
  },
};
