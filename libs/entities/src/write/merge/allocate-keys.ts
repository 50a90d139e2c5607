import { type Entity, lineageOf, quoteTable, tableOf } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { WriteScope } from '../scope/write-scope.ts';
import type { Key, Scalar } from '../values/value.ts';

/**
 * Gives a key to every instance that has none: a UUID of the id source, or numbers of the identity sequence, fetched
 * for all rows at once. A key that the client must assign stays null, which validation reports.
 */
export async function allocateKeys(
  scope: WriteScope,
  items: readonly {
    readonly entity: Entity;
    readonly key: Key | undefined;
    readonly keyParts?: readonly Scalar[] | undefined;
  }[],
): Promise<readonly Key[]> {
  const numbered = items.filter(({ entity, key }) => key === undefined && entity.key?.generation === 'identity');
  const numbers = new Map<string, string[]>();
  if (numbered.length > 0)
    for (const [name, group] of Map.groupBy(numbered, ({ entity }) => rootOf(scope, entity).name)) {
      numbers.set(name, await nextNumbers(scope, (group[0] as (typeof group)[number]).entity, group.length));
    }
  return items.map(({ entity, key, keyParts }) => {
    if (key !== undefined) return key;
    if (entity.key?.generation === 'uuid') return canonicalKey([scope.ids.next()]);
    if (entity.key?.generation === 'assigned')
      return canonicalKey(keyParts ?? scope.writeModel.of(entity).key.map(() => null));
    const number = numbers.get(rootOf(scope, entity).name)?.shift();
    const type = scope.writeModel.of(entity).key[0]?.types[0];
    const isExact = type?.kind === 'datatype' && EXACT.has(type.datatype);
    return canonicalKey([number == null ? null : isExact ? number : Number(number)]);
  });
}

/** Numbers that are texts in keys. */
const EXACT: ReadonlySet<string> = new Set(['long', 'bigInteger', 'decimal']);

const rootOf = (scope: WriteScope, entity: Entity): Entity => lineageOf(scope.model, entity).at(-1) ?? entity;

/** The sequence of the column, or of its default where other tables use the sequence, too. */
const SEQUENCE = `coalesce(pg_get_serial_sequence($1, $2)::regclass, (SELECT s.oid::regclass FROM pg_attribute a
  JOIN pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
  JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass
  JOIN pg_class s ON s.oid = d.refobjid AND s.relkind = 'S' WHERE a.attrelid = $1::regclass AND a.attname = $2))`;

async function nextNumbers(scope: WriteScope, entity: Entity, count: number): Promise<string[]> {
  const root = rootOf(scope, entity);
  const column = scope.writeModel.of(root).key[0]?.columns[0]?.name ?? 'id';
  const rows = await scope.transaction.query<{ readonly number: string }>({
    name: 'write-next-numbers',
    text: `SELECT nextval(${SEQUENCE})::text AS number FROM generate_series(1, $3::int)`,
    values: [quoteTable(tableOf(root)), column, count],
  });
  return rows.map(({ number }) => number);
}
