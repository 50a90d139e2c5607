import type { Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';

const OWNER = 'libs/config/src/environment.ts';

/** Tests are free: the environment says how long they run. */
export const environmentInConfig: Rule = {
  id: 'environment-in-config',
  statement: `Only ${OWNER} reads process.env`,
  because: 'settings are read once, validated whole and passed as arguments',
  *check(workspace) {
    for (const file of workspace.files) {
      if (file.isTest || file.path === OWNER) continue;
      for (const { line, path } of file.globalUses)
        if (path === 'process' || path === 'process.*' || /^process\.env(\.|$)/.test(path))
          yield { file: file.path, line, what: `reads ${path}` };
    }
    for (const { file, statement, target } of importsOf(workspace))
      if (!file.isTest && file.path !== OWNER && target.kind === 'builtin' && target.name === 'process')
        if (statement.names.some((name) => name === 'env' || name === '*'))
          yield { file: file.path, line: statement.line, what: 'imports env of node:process' };
  },
};
