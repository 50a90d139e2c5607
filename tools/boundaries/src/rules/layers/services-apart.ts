import type { Rule } from '../../rule.ts';
import { groupOf } from '../../workspace/build-workspace.ts';
import { importsOf, isWithin, packageOf } from '../../workspace/import-target.ts';

/** The packages that compose services. */
const COMPOSERS = ['deploy/standalone', 'bench'];

/** `exports` of every service: its settings as values, for launchers and for the generated reference. */
const SETTINGS = './settings';

export const servicesApart: Rule = {
  id: 'services-apart',
  statement:
    'A service never imports a service; only deploy/standalone and bench compose them, deploy and tools may read their settings',
  because: 'services meet over HTTP or events only',
  *check(workspace) {
    for (const one of importsOf(workspace)) {
      const { file, statement, target } = one;
      const imported = packageOf(one, workspace);
      if (imported?.group !== 'services' || imported.folder === file.packageFolder) continue;
      // Libs have a rule of their own.
      if (groupOf(file.path) === 'libs' || COMPOSERS.some((folder) => isWithin(file.path, folder))) continue;
      const isSettings = target.kind === 'package' && target.subpath === SETTINGS;
      if (isSettings && ['deploy', 'tools'].includes(groupOf(file.path))) continue;
      yield { file: file.path, line: statement.line, what: `imports the service ${statement.specifier}` };
    }
  },
};
