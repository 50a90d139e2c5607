import type { Rule } from '../rule.ts';
import { lineOf } from '../text-line.ts';
import type { Workspace, WorkspacePackage } from '../workspace.ts';

/** Rings cannot be built. Those through devDependencies count: the build's order follows both. */
export const noPackageCycle: Rule = {
  id: 'no-package-cycle',
  statement: 'Packages do not depend on each other in a ring, devDependencies included',
  because: 'a ring has no order in which it can be built',
  *check(workspace) {
    const done = new Set<WorkspacePackage>();
    for (const start of workspace.packages) {
      const ring = findRing(start, [], done, workspace);
      const [first, second] = ring ?? [];
      if (ring === undefined || first === undefined || second === undefined) continue;
      yield {
        file: `${first.folder}/package.json`,
        line: lineOf(first.manifest, `"${second.name}"`),
        what: `is part of the ring ${ring.map((one) => one.name).join(' → ')}`,
      };
    }
  },
};

/** The first ring that can be reached, with its first package again at the end. */
function findRing(
  at: WorkspacePackage,
  path: readonly WorkspacePackage[],
  done: Set<WorkspacePackage>,
  workspace: Workspace,
): readonly WorkspacePackage[] | undefined {
  const seen = path.indexOf(at);
  if (seen !== -1) return [...path.slice(seen), at];
  if (done.has(at)) return undefined;
  for (const name of [...at.dependencies, ...at.devDependencies]) {
    const next = workspace.packageByName.get(name);
    const ring = next && findRing(next, [...path, at], done, workspace);
    if (ring !== undefined) {
      for (const one of ring) done.add(one);
      return ring;
    }
  }
  done.add(at);
  return undefined;
}
