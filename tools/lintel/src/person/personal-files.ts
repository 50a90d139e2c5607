import { rowsByKey, sourceOf } from '@lintel/history';
import type { Model } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import type { PersonInstances } from './find-person.ts';
import { personalColumnsOf } from './personal-columns.ts';

/** The references to files in personal attributes of instances, now and in all recorded states. */
export async function personalFilesOf(
  model: Model,
  { node, keys }: PersonInstances,
  database: StatementRunner,
): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const { attribute, name, owner, table: location } of personalColumnsOf(model, node.entity)) {
    const table = [...node.tables, ...node.sides].find((each) => sourceOf(each) === sourceOf(location));
    if (attribute.kind === 'enum' || attribute.datatype !== 'fileRef' || table === undefined) continue;
    const [by, key] = owner === undefined ? ['key', table.key] : ['owner_key', owner];
    const text = `SELECT to_jsonb(t) -> $2 AS file FROM ${rowsByKey({ ...table, key })} UNION
SELECT v.state -> $2 FROM history.entry e CROSS JOIN LATERAL (VALUES (e.before), (e.after)) v(state)
WHERE e.source = $3 AND e.${by} = ANY ($1::text[])`;
    const values = [[...keys], name, sourceOf(table)];
    for (const { file } of await database.query<{ readonly file: string | null }>({ text, values }))
      for (const reference of [JSON.parse(file ?? 'null')].flat())
        if (typeof reference === 'string' && reference.includes('://')) files.add(reference);
  }
  return [...files];
}
