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
    const isText = type?.kind === 'datatype' && type.datatype === 'long';
    return canonicalKey([number === undefined ? null : isText ? number : Number(number)]);
  });
}

const rootOf = (scope: WriteScope, entity: Entity): Entity => lineageOf(scope.model, entity).at(-1) ?? entity;

async function nextNumbers(scope: WriteScope, entity: Entity, count: number): Promise<string[]> {
  const root = rootOf(scope, entity);
  const column = scope.writeModel.of(root).key[0]?.columns[0]?.name ?? 'id';
  const rows = await scope.transaction.query<{ readonly number: string }>({
    name: 'write-next-numbers',
    text: 'SELECT nextval(pg_get_serial_sequence($1, $2)::regclass)::text AS number FROM generate_series(1, $3::int)',
    values: [quoteTable(tableOf(root)), column, count],
  });
  return rows.map(({ number }) => number);
}
