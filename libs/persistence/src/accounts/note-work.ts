import { currentActor, traceparentOf } from '@lintel/telemetry';
import type { StatementRunner } from '../database.ts';

/** Names who changes users and assignments, for the events of this transaction. `by` is a user, or the name of a source. */
export const noteWork = async (transaction: StatementRunner, by: string): Promise<void> => {
  const work = JSON.stringify({ actor: { ...currentActor(), by }, traceparent: traceparentOf() });
  await transaction.query({ text: `SELECT set_config('lintel.work', $1, true)`, values: [work] });
};
