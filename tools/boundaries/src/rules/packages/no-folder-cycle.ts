import { findRings } from '../../find-rings.ts';
import type { Finding, Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Sibling folders, by their parent folder: what each one imports, with the first such import. */
type Arrows = Map<string, Map<string, Map<string, Omit<Finding, 'what'>>>>;

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
  for (const [parent, arrows] of arrowsOf(workspace, kind === 'types'))
    for (const ring of findRings(arrows.keys(), (name) => arrows.get(name)?.keys() ?? [])) {
      const sites = [...(arrows.get(ring[0] ?? '') ?? [])];
      const site = sites.find(([next]) => ring.includes(next))?.[1];
      if (site !== undefined)
        yield { ...site, what: `is part of a ring of ${kind} in ${parent} (${ring.toSorted().join(', ')})` };
    }
}

function arrowsOf(workspace: Workspace, includesTypes: boolean): Arrows {
  const all: Arrows = new Map();
  for (const { file, statement, target } of importsOf(workspace)) {
    if (file.isTest || target.kind !== 'file' || (statement.isTypeOnly && !includesTypes)) continue;
    if (target.packageFolder !== file.packageFolder || target.packageFolder === '') continue;
    const sides = apart(file.path, target.path);
    if (sides === undefined) continue;
    const arrows = inside(inside(all, sides.parent), sides.from);
    if (!arrows.has(sides.to)) arrows.set(sides.to, { file: file.path, line: statement.line });
  }
  return all;
}

function inside<K, V extends Map<unknown, unknown>>(map: Map<K, V>, key: K): V {
  const known = map.get(key) ?? (new Map() as V);
  map.set(key, known);
  return known;
}

/** The folders where the two paths part; undefined where one of the files lies in a folder above the other's. */
function apart(
  from: string,
  to: string,
): { readonly parent: string; readonly from: string; readonly to: string } | undefined {
  const a = from.split('/').slice(0, -1);
  const b = to.split('/').slice(0, -1);
  const at = a.findIndex((name, index) => name !== b[index]);
  const [one, other] = [a[at], b[at]];
  return at < 0 || one === undefined || other === undefined
    ? undefined
    : { parent: a.slice(0, at).join('/'), from: one, to: other };
}
