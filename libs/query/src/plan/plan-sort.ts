import { type Attribute, type Entity, embeddedPrefix, entityOf, instanceNameAttributes } from '@lintel/metadata';
import type { ResolvedSortKey } from '../resolve/resolved-query.ts';
import type { Visibility } from '../secure/visibility.ts';
import { joinOne } from './plan-joins.ts';
import type { Column, SortPlan } from './read-plan.ts';
import type { RowSource } from './row-source.ts';

/**
 * Plans the order of the rows. A reference sorts by the attributes of its instance name, all in the same
 * direction (contract §1.5); parts that the caller may not view do not count. Rows without the reference
 * stay: the joins are left joins.
 */
export function planSort(
  keys: readonly ResolvedSortKey[],
  source: RowSource,
  visibility: Visibility,
): readonly SortPlan[] {
  const seen = new Set<string>();
  return keys
    .flatMap((key) => sortColumns(key, source, visibility).map((column) => ({ column, descending: key.descending })))
    .filter(({ column }) => {
      const name = `${column.alias}.${column.name}`;
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    });
}

function sortColumns({ path }: ResolvedSortKey, root: RowSource, visibility: Visibility): readonly Column[] {
  let source = root;
  let prefix = '';
  for (const { attribute } of path.steps) {
    if (attribute.kind === 'embedded') {
      prefix = embeddedPrefix(attribute, prefix);
    } else {
      source = joinOne(source, attribute, prefix, visibility);
      prefix = '';
    }
  }
  return attributeColumns(path.leaf.attribute, source, prefix, visibility, []);
}

function attributeColumns(
  attribute: Attribute,
  source: RowSource,
  prefix: string,
  visibility: Visibility,
  above: readonly Entity[],
): readonly Column[] {
  if (attribute.kind !== 'reference') return source.columns(attribute, prefix);
  const target = entityOf(source.model, attribute.target);
  const joined = joinOne(source, attribute, prefix, visibility);
  const parts = target.instanceName === undefined ? [] : instanceNameAttributes(target.instanceName);
  const columns = parts.flatMap((name): readonly Column[] => {
    const part = target.attributes.get(name);
    if (part === undefined || !part.persistent || part.secret || !visibility.mayView(target, part)) return [];
    if (part.kind === 'elements' || part.kind === 'embedded') return [];
    if (part.kind !== 'reference') return joined.columns(part, '');
    const isMany = part.cardinality === 'ONE_TO_MANY' || part.cardinality === 'MANY_TO_MANY';
    const next = entityOf(source.model, part.target);
    // A predicate may hide the target: the order must not tell its name.
    if (isMany || above.includes(next) || visibility.predicatesOf(next).length > 0) return [];
    return attributeColumns(part, joined, '', visibility, [...above, target]);
  });
  return columns.length > 0 ? columns : joined.keyColumns();
}
