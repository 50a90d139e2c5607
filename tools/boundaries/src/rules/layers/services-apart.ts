import { groupOf } from '../../workspace/build-workspace.ts';
import { isWithin, packageOf } from '../../workspace/import-target.ts';
import { importRule } from '../import-rule.ts';

/** The packages that compose services. */
const COMPOSERS = ['deploy/standalone', 'bench'];

/** `exports` of every service: its settings as values, for launchers and for the generated reference. */
const SETTINGS = './settings';

export const servicesApart = importRule(
  {
    id: 'services-apart',
    statement:
      'A service never imports a service; only deploy/standalone and bench compose them, deploy and tools may read their settings',
    because: 'services meet over HTTP or events only',
  },
  (one, workspace) => {
    const { file, statement, target } = one;
    const imported = packageOf(one, workspace);
    if (imported?.group !== 'services' || imported.folder === file.packageFolder) return undefined;
    // Libs have a rule of their own.
    if (groupOf(file.path) === 'libs' || COMPOSERS.some((folder) => isWithin(file.path, folder))) return undefined;
    const isSettings = target.kind === 'package' && target.subpath === SETTINGS;
    const mayRead = isSettings && ['deploy', 'tools'].includes(groupOf(file.path));
    return mayRead ? undefined : `imports the service ${statement.specifier}`;
  },
);
