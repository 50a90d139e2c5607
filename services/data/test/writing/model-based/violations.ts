import { entityOf } from '@lintel/metadata';
import type { Node } from './apply-write.ts';
import type { Draft } from './draft.ts';
import { keptBy, rowsOf, type WorldValue } from './world.ts';

/** The rules of the library that do not follow from the type of an attribute. */
const BOUNDS: Readonly<Record<string, (value: number) => boolean>> = {
  'l_Shelf.width': (value) => value >= 0 && Number(value.toFixed(2)) === value,
  'l_Board.load': (value) => value <= 100,
  'l_Screw.size': (value) => value > 0,
};

/** Paths of the violated rules: of all attributes of a new instance, of changed ones of a stored instance. */
export function violations(draft: Draft, node: Node, leaving: ReadonlySet<string>): readonly string[] {
  const row = draft.change(node.id);
  const changed = new Set(draft.changedPaths(node.id));
  const at = (path: string): string => (node.path === '' ? path : `${node.path}.${path}`);
  const paths = keptBy(draft.model, entityOf(draft.model, row.entity)).flatMap(({ path, attribute }) => {
    if (!changed.has(path)) return [];
    const value = row.values[path] as WorldValue;
    if (attribute.kind === 'elements')
      return (value as readonly string[]).flatMap((item, index) => (item.length > 5 ? [at(`${path}[${index}]`)] : []));
    const isMissing = attribute.mandatory || `${row.entity}.${path}` === 'l_Lid.colour';
    if (value === null) return isMissing ? [at(path)] : [];
    if (attribute.kind !== 'datatype') return [];
    const isTooLong = attribute.length !== undefined && String(value).length > attribute.length;
    const keepsBounds = BOUNDS[`${row.entity}.${path}`]?.(Number(value)) ?? true;
    return isTooLong || !keepsBounds ? [at(path)] : [];
  });
  const isTested = !draft.before.has(node.id) || draft.isChanged(node.id) || node.namesChildren;
  if (row.entity !== 'l_Shelf' || !isTested || Number(row.values['width'] ?? 0) < 900) return paths;
  const boards = rowsOf(draft.model, draft.rows, 'l_Board').filter(
    (board) => !board.isDeleted && !leaving.has(board.id) && board.values['shelf'] === node.id,
  );
  return boards.length > 0 ? paths : [...paths, node.path];
}
