import { createHash } from 'node:crypto';

/** PostgreSQL cuts longer names off. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 8;

/** Kind of the thing that is named. */
export type ConstraintKind = 'pk' | 'fk' | 'uq' | 'ix' | 'ck' | 'ex';

/**
 * Name of a key or an index: `fk_order_line__order_id`. The double underscore keeps `order` + `line_id`
 * and `order_line` + `id` apart, which share one name space. `qualifier` separates variants with the same
 * columns, e.g. `live` for an index of the rows not deleted. Longer names end in a hash of the whole.
 */
export function constraintName(
  kind: ConstraintKind,
  table: string,
  columns: readonly string[],
  qualifier?: string,
): string {
  const parts = kind === 'pk' ? `${kind}_${table}` : `${kind}_${table}__${columns.join('__')}`;
  const name = qualifier === undefined ? parts : `${parts}__${qualifier}`;
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
