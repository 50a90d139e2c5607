import type { Finding, Rule } from '../../rule.ts';
import { lineOf } from '../../source/text-line.ts';
import type { Project, Workspace, WorkspacePackage } from '../../workspace/workspace.ts';

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
