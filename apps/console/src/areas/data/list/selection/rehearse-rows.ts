import { type Client, type Id, rehearse } from '@lintel/client';
import type { RehearsedDeletion } from '../../deletion/delete-dialog.tsx';
import type { Row } from '../row.ts';
import { CHUNK, chunksOf, isRefusal } from './run-on-rows.ts';

/** Rows that are rehearsed; more would take too long for a question. Each restoration is a request. */
const MAX_ROWS = { delete: 500, purge: 500, restore: 50 };

/** Rehearses a work on rows, as many of them in one request as are written in one. */
export async function rehearseRows(
  client: Client,
  entity: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  work: keyof typeof MAX_ROWS,
): Promise<Required<RehearsedDeletion>> {
  const changes: RehearsedDeletion['changes'][number][] = [];
  const refusals: unknown[] = [];
  let count = 0;
  for await (const chunk of chunksOf(rows, work === 'restore' ? 1 : CHUNK)) {
    if (count >= MAX_ROWS[work]) return { changes, events: [], refusals, isPartial: true };
    count += chunk.length;
    try {
      const ids = chunk.map((row) => row['id'] as Id);
      const rehearsed = await rehearse(client, (dry) =>
        work === 'restore'
          ? dry.restore(entity, ids[0] as Id, { fetchPlan: '_instance_name' })
          : dry.removeMany(entity, ids, work === 'purge' ? { deleted: 'only' } : {}),
      );
      changes.push(...rehearsed.changes);
    } catch (error) {
      // The rows of a refused request are written one by one.
      if (!isRefusal(error)) throw error;
      if (refusals.length === 0) refusals.push(error);
    }
  }
  return { changes, events: [], refusals, isPartial: false };
}
