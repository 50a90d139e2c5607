import { groupOf } from '../../workspace/build-workspace.ts';
import { targetGroupOf } from '../../workspace/import-target.ts';
import { importRule } from '../import-rule.ts';

/** What each layer may reach; a group that is not named may reach any. */
const REACH = new Map<string, readonly string[]>([
  ['apps', ['apps', 'libs']],
  ['libs', ['libs']],
  ['services', ['apps', 'libs', 'services']],
]);

/** For services too: nothing that ships depends on examples, deploy, tools or tests. */
export const libsBelowServices = importRule(
  {
    id: 'libs-below-services',
    statement: 'A lib or an app imports only libs; the source of a service imports only libs and apps',
    because: 'dependencies have one direction: what is used by all imports no user of it',
  },
  (one, workspace) => {
    const { file, statement } = one;
    const reach = REACH.get(groupOf(file.path));
    const group = targetGroupOf(one, workspace);
    if (reach === undefined || group === undefined || reach.includes(group)) return undefined;
    // Tests of a service may run the example application.
    return file.isTest && group === 'examples' ? undefined : `imports ${statement.specifier}, which is in ${group}`;
  },
);
