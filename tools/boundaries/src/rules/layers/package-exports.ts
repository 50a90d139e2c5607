import type { ResolvedImport } from '../../workspace/import-target.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { importRule } from '../import-rule.ts';

export const packageExports = importRule(
  {
    id: 'package-exports',
    statement: 'A package is imported by its name and what its exports list, never by a path inside it',
    because: 'what is not exported may change without notice',
  },
  insideOf,
);

function insideOf({ file, statement, target }: ResolvedImport, workspace: Workspace): string | undefined {
  if (target.kind === 'file')
    return target.packageFolder === file.packageFolder
      ? undefined
      : `imports ${statement.specifier}, a path inside ${target.packageFolder || 'the root package'}`;
  if (target.kind !== 'package') return undefined;
  if (target.workspacePackage !== undefined)
    return target.workspacePackage.exports.has(target.subpath)
      ? undefined
      : `imports ${statement.specifier}, which the exports of ${target.name} do not list`;
  // A package with `exports` is guarded by Node itself.
  return target.subpath === '.' || target.subpath === './package.json' || workspace.declaresExports(target.name)
    ? undefined
    : `imports ${statement.specifier}, and ${target.name} says of no path that it is public`;
}
