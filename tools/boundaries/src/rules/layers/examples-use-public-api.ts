import { groupOf } from '../../workspace/build-workspace.ts';
import { packageOf } from '../../workspace/import-target.ts';
import { importRule } from '../import-rule.ts';

/** What application teams build with; `http` only for `fromExpress`. */
const PUBLIC = new Set(['libs/application', 'libs/metadata', 'libs/react', 'libs/security', 'libs/http']);
const PUBLIC_HTTP = new Set(['fromExpress']);

export const examplesUsePublicApi = importRule(
  {
    id: 'examples-use-public-api',
    statement:
      'Examples import no package of the platform but application, metadata, react, security, and http for fromExpress',
    because: 'an example proves that the public API is enough',
  },
  (one, workspace) => {
    const { file, statement } = one;
    const imported = groupOf(file.path) === 'examples' ? packageOf(one, workspace) : undefined;
    if (imported === undefined || imported.folder === file.packageFolder) return undefined;
    if (!PUBLIC.has(imported.folder)) return `imports ${statement.specifier}`;
    const isPublic = imported.folder !== 'libs/http' || statement.names.every((name) => PUBLIC_HTTP.has(name));
    return isPublic ? undefined : `imports ${statement.names.join(', ')} of ${imported.name}`;
  },
);
