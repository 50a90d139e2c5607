import { findRings } from '../../find-rings.ts';
import type { Finding, Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** An import between two folders of a parent. */
interface Arrow extends Omit<Finding, 'what'> {
  readonly parent: string;
  readonly from: string;
  readonly to: string;
}

/** Folders that import each other are one folder with several names. */
export const noFolderCycle: Rule = {
  id: 'no-folder-cycle',
  statement: 'Folders of a package do not import values or types from each other in a ring',
  because: 'none of them can be read, moved or tested without the others',
  *check(workspace) {
    // An exception for a ring of types never excuses a ring of values inside it.
    yield* ringsOf(workspace, 'values');
    yield* ringsOf(workspace, 'types');
  },
};

function* ringsOf(workspace: Workspace, kind: 'values' | 'types'): Generator<Finding> {
  for (const [parent, arrows] of Map.groupBy(arrowsOf(workspace, kind === 'types'), (arrow) => arrow.parent)) {
    const leading = Map.groupBy(arrows, ({ from }) => from);
    for (const ring of findRings(leading.keys(), (name) => leading.get(name)?.map(({ to }) => to) ?? [])) {
      const site = arrows.find(({ from, to }) => ring.includes(from) && ring.includes(to));
      if (site !== undefined)
        yield { ...site, what: `is part of a ring of ${kind} in ${parent} (${ring.toSorted().join(', ')})` };
    }
  }
}

/** The folders of an arrow are those where the paths part; a file in a folder above the other's has none. */
const arrowsOf = (workspace: Workspace, includesTypes: boolean): readonly Arrow[] =>
  importsOf(workspace).flatMap(({ file, statement, target }) => {
    if (file.isTest || target.kind !== 'file' || (statement.isTypeOnly && !includesTypes)) return [];
    if (target.packageFolder !== file.packageFolder || target.packageFolder === '') return [];
    const own = file.path.split('/').slice(0, -1);
    const others = target.path.split('/').slice(0, -1);
    const at = own.findIndex((name, index) => name !== others[index]);
    const [from, to] = [own[at], others[at]];
    if (from === undefined || to === undefined) return [];
    return { file: file.path, line: statement.line, parent: own.slice(0, at).join('/'), from, to };
  });
