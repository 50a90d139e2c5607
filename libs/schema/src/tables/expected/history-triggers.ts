import { type HistoryTable, quoteTable } from '@lintel/metadata';
import type { TriggerDescription } from './table-description.ts';

const EVENTS = [
  ['insert', 'REFERENCING NEW TABLE AS new_rows'],
  ['update', 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows'],
  ['delete', 'REFERENCING OLD TABLE AS old_rows'],
] as const;

/** An array of PostgreSQL as a text constant. */
const arrayText = (names: readonly string[]): string =>
  `'{${names.map((name) => (/^[a-z_][a-z0-9_]*$/.test(name) && name !== 'null' ? name : JSON.stringify(name))).join(',')}}'`.replaceAll(
    /(?<=.)'(?=.)/g,
    "''",
  );

/** The triggers that record the changes of a table, once for each statement. */
export function historyTriggers(table: HistoryTable): readonly TriggerDescription[] {
  const parameters = [table.key, table.owner, table.omitted, table.secret, table.ignored].map(arrayText).join(', ');
  return EVENTS.map(([event, rows]) => ({
    name: `history_${event}`,
    definition: `CREATE TRIGGER history_${event} AFTER ${event.toUpperCase()} ON ${quoteTable(table)} ${rows} FOR EACH STATEMENT EXECUTE FUNCTION history.record(${parameters})`,
  }));
}
