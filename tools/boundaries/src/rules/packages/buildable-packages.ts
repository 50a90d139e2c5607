import { findRings } from '../../find-rings.ts';
import type { Finding, Rule } from '../../rule.ts';
import { lineOf } from '../../source/text-line.ts';
import { isWithin, type ResolvedImport } from '../../workspace/import-target.ts';
import type { Project, Workspace, WorkspacePackage } from '../../workspace/workspace.ts';
import { importRule } from '../import-rule.ts';

const BOOTSTRAP = 'tools/bootstrap';

/** The first command in a fresh clone runs before anything is installed. */
export const bootstrapNeedsNothing = importRule(
  {
    id: 'bootstrap-needs-nothing',
    statement: 'tools/bootstrap imports nothing but itself and the modules of Node',
    because: 'it runs in a fresh clone, before the packages are installed',
  },
  ({ file, statement, target }) => {
    if (file.isTest || !isWithin(file.path, BOOTSTRAP)) return undefined;
    const leaves = target.kind === 'package' || (target.kind === 'file' && !isWithin(target.path, BOOTSTRAP));
    return leaves ? `imports ${statement.specifier}` : undefined;
  },
);

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

/** Made by a build. */
const BUILT = /(?:^|\/)dist\//;

export const importsAreKept = importRule(
  {
    id: 'imports-are-kept',
    statement: 'A file that is imported is one that git keeps',
    because: 'a file that git ignores is on one machine alone, and what it checked is checked nowhere else',
  },
  ({ statement, target }, { texts }) =>
    target.kind === 'file' && !BUILT.test(target.path) && !texts.has(target.path)
      ? `imports ${statement.specifier}, which git ignores or does not have`
      : undefined,
);

/** `tsc -b` builds in the order of the references; npm knows only the dependencies. */
export const projectReferences: Rule = {
  id: 'project-references',
  statement: 'The references of a tsconfig.json are the packages of this repository among the dependencies',
  because: 'a missing reference builds against an old dist, one too many slows every build',
  *check(workspace) {
    for (const owner of workspace.packages)
      if (owner.project !== undefined) yield* compare(owner, owner.project, workspace);
  },
};

function* compare(owner: WorkspacePackage, project: Project, workspace: Workspace): Iterable<Finding> {
  const file = `${owner.folder}/tsconfig.json`;
  const depended = [...owner.dependencies].flatMap((name) => workspace.packageByName.get(name) ?? []);
  for (const { name, folder, project: theirs } of depended)
    if (theirs !== undefined && !project.references.has(folder))
      yield { file, line: lineOf(project.text, '"references"'), what: `has no reference to ${folder} (${name})` };
  for (const folder of project.references)
    if (!depended.some((one) => one.folder === folder))
      yield {
        file,
        line: lineOf(project.text, folder),
        what: `refers to ${folder}, which ${owner.folder}/package.json does not depend on`,
      };
}

/** Rings cannot be built. Those through devDependencies count: the build's order follows both. */
export const noPackageCycle: Rule = {
  id: 'no-package-cycle',
  statement: 'Packages do not depend on each other in a ring, devDependencies included',
  because: 'a ring has no order in which it can be built',
  *check(workspace) {
    const nextOf = ({ dependencies, devDependencies }: WorkspacePackage): readonly WorkspacePackage[] =>
      [...dependencies, ...devDependencies].flatMap((name) => workspace.packageByName.get(name) ?? []);
    for (const ring of findRings(workspace.packages, nextOf)) {
      const [first] = ring;
      const second = first && nextOf(first).find((next) => ring.includes(next));
      if (first === undefined || second === undefined) continue;
      yield {
        file: `${first.folder}/package.json`,
        line: lineOf(first.manifest, `"${second.name}"`),
        what: `is part of the ring ${ring.map(({ name }) => name).join(', ')}`,
      };
    }
  },
};
