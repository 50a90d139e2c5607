import { type Client, type Id, rehearse } from '@lintel/client';
import type { RehearsedDeletion } from '../../deletion/delete-dialog.tsx';
import type { Row } from '../row.ts';
import { CHUNK, chunksOf, isRefusal } from './run-on-rows.ts';

/** Rows that are rehearsed; more would take too long for a question. */
const MAX_ROWS = 500;

/** Rehearses the deletion of rows, as many of them in one request as are deleted in one. */
export async function rehearseDeletion(
  client: Client,
  entity: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<RehearsedDeletion> {
  const changes: RehearsedDeletion['changes'][number][] = [];
  const refusals: unknown[] = [];
  let count = 0;
  for await (const chunk of chunksOf(rows)) {
    if (count >= MAX_ROWS) return { changes, events: [], refusals, isPartial: true };
    count += CHUNK;
    try {
      const ids = chunk.map((row) => row['id'] as Id);
      changes.push(...(await rehearse(client, (dry) => dry.removeMany(entity, ids))).changes);
    } catch (error) {
      // The rows of a refused request are deleted one by one.
      if (!isRefusal(error)) throw error;
      if (refusals.length === 0) refusals.push(error);
    }
  }
  return { changes, events: [], refusals };
}
