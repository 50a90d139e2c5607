import type { TokenReader } from './token-reader.ts';

/** Types whose assignment casts keep every value or fail, whatever the type was. Others may round or cut. */
const KEEPING_TYPES = new Set(['TEXT', 'VARCHAR', 'CHARACTER VARYING', 'UUID', 'BOOLEAN', 'BOOL', 'BYTEA', 'JSON']);

/** What an action begins with that keeps all values or fails. */
const KEEPING_ACTIONS = new Set(
  'ADD ATTACH CLUSTER DETACH DISABLE ENABLE FORCE INHERIT NO NOT OF OWNER RENAME REPLICA RESET VALIDATE'.split(' '),
);

/** What an action on a column begins with, after its name, that keeps all values or fails. `DROP` drops a property. */
const KEEPING_COLUMN_ACTIONS = new Set(['ADD', 'DROP', 'RESET', 'SET']);

/**
 * What the actions of an `ALTER TABLE` lose.
 *
 * @param reader after `ALTER TABLE`
 * @returns one sentence for each loss; nothing instead of a list where an action is not known
 */
export function alterTableLosses(reader: TokenReader): readonly string[] | undefined {
  reader.takes('IF', 'EXISTS');
  const table = reader.table();
  const losses: string[] = [];
  for (const action of reader.parts()) {
    const found = actionLosses(table, action);
    if (found === undefined) return undefined;
    losses.push(...found);
  }
  return losses;
}

function actionLosses(table: string, action: TokenReader): readonly string[] | undefined {
  if (action.takes('DROP')) {
    if (action.sees('CONSTRAINT')) return [];
    action.takes('COLUMN');
    action.takes('IF', 'EXISTS');
    return [`column ${action.name()} of ${table} is dropped with its values`];
  }
  if (action.takes('SET')) return action.sees('UNLOGGED') ? [`${table} is no longer kept when the server crashes`] : [];
  if (action.takes('ALTER')) return action.sees('CONSTRAINT') ? [] : columnLosses(table, action);
  return KEEPING_ACTIONS.has(action.keyword()) ? [] : undefined;
}

function columnLosses(table: string, action: TokenReader): readonly string[] | undefined {
  action.takes('COLUMN');
  const column = action.name();
  if (action.takes('TYPE') || action.takes('SET', 'DATA', 'TYPE')) {
    if (keepsValues(action)) return [];
    return [`values of column ${column} of ${table} are cast, which may round them or cut them off`];
  }
  if (action.has('RESTART')) return [`the numbers of column ${column} of ${table} are given anew`];
  return KEEPING_COLUMN_ACTIONS.has(action.keyword()) ? [] : undefined;
}

/** Lengths are kept to: the assignment cast refuses what is longer. */
function keepsValues(type: TokenReader): boolean {
  if (type.has('USING')) return false;
  const name = type.takes('CHARACTER', 'VARYING') ? 'CHARACTER VARYING' : type.name().toUpperCase();
  return KEEPING_TYPES.has(name);
}
