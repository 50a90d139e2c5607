import { findRings } from '../../find-rings.ts';
import type { Rule } from '../../rule.ts';
import { lineOf } from '../../source/text-line.ts';
import type { WorkspacePackage } from '../../workspace/workspace.ts';

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
