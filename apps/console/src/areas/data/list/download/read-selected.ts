import type { Client } from '@lintel/client';
import type { PathPlan } from '../../paths/plan-of.ts';
import type { Row } from '../row.ts';

/** So many ids are in one request. */
const CHUNK = 100;

/** Reads selected rows again, with the columns of now; in the order of the selection. Rows that are gone are left out. */
export async function* readSelected(
  client: Pick<Client, 'list'>,
  entityName: string,
  selected: readonly Row[],
  options: { readonly fetchPlan: PathPlan; readonly dynamicAttributes?: boolean; readonly signal: AbortSignal },
): AsyncGenerator<Row> {
  for (let at = 0; at < selected.length; at += CHUNK) {
    const ids = selected.slice(at, at + CHUNK).map(({ id }) => id);
    const filter = { conditions: [{ property: 'id', operator: 'in', value: ids }] };
    const found = (await client.list(entityName, { ...options, filter })) as readonly Row[];
    const byId = new Map(found.map((row) => [JSON.stringify(row['id']), row]));
    for (const id of ids) {
      const row = byId.get(JSON.stringify(id));
      if (row !== undefined) yield row;
    }
  }
}
