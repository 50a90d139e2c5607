import type { ResolvedImport } from '../../workspace/import-target.ts';
import type { Workspace, WorkspacePackage } from '../../workspace/workspace.ts';
import { importRule } from '../import-rule.ts';

/**
 * Groups that may use what they declare for development: those that are never installed as a dependency, and pages,
 * whose bundles contain all that they import.
 */
const NEVER_SHIPPED = new Set(['apps', 'bench', 'tests', 'root']);

/** Every import is backed by the manifest of the package that makes it. */
export const declaredDependencies = importRule(
  {
    id: 'declared-dependencies',
    statement:
      'What a source imports is in dependencies or peerDependencies of its package.json; tests, and imports of types alone, may use devDependencies',
    because: 'an import that works only because another package is installed breaks when that one changes',
  },
  (one, workspace) => {
    const { file, target } = one;
    const owner = workspace.packageByFolder.get(file.packageFolder);
    if (target.kind !== 'package' || owner === undefined || owner.name === target.name) return undefined;
    if (isDeclared(one, target.name, owner, workspace)) return undefined;
    const manifest = owner.folder === '' ? 'package.json' : `${owner.folder}/package.json`;
    return `imports ${target.name}, which ${manifest} does not declare`;
  },
);

function isDeclared(
  { file, statement }: ResolvedImport,
  name: string,
  owner: WorkspacePackage,
  workspace: Workspace,
): boolean {
  if (owner.dependencies.has(name)) return true;
  // The root lists the packages of the repository as its workspaces.
  if (owner.folder === '' && workspace.packageByName.has(name)) return true;
  const isType = statement.isTypeOnly && (owner.devDependencies.has(name) || owner.devDependencies.has(typesOf(name)));
  if (isType) return true;
  if (!file.isTest && !NEVER_SHIPPED.has(owner.group)) return false;
  // The tools that every test uses are declared once, at the root.
  return owner.devDependencies.has(name) || workspace.packageByFolder.get('')?.devDependencies.has(name) === true;
}

/** `@types/express` of `express`, `@types/a__b` of `@a/b`. */
const typesOf = (name: string): string => `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
