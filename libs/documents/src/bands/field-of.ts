import { type Cell, EMPTY, type Fields } from './cell.ts';
import { cellOfValue } from './cells-of-row.ts';

/**
 * Returns the field with that name. Where the row has none, its path is followed into an object: `customer.name` is the
 * member `name` of the field `customer`. Undefined where there is neither.
 */
export function fieldOf(fields: Fields, name: string): Cell | undefined {
  const own = fields.get(name);
  if (own !== undefined) return own;
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const cell = fields.get(name.slice(0, dot));
    if (cell !== undefined) return memberOf(cell, name.slice(dot + 1));
  }
  return undefined;
}

/** Returns the member of an object at a path; an empty field has only empty members. */
export function memberOf(cell: Cell, path: string): Cell | undefined {
  if (cell.kind === 'empty') return EMPTY;
  if (cell.kind !== 'instance') return undefined;
  if (Object.hasOwn(cell.value, path)) return cellOfValue(cell.value[path]);
  const dot = path.indexOf('.');
  const member = path.slice(0, dot);
  if (dot < 0 || !Object.hasOwn(cell.value, member)) return undefined;
  return memberOf(cellOfValue(cell.value[member]), path.slice(dot + 1));
}
