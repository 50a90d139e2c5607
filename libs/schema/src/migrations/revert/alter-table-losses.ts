import type { TokenReader } from './token-reader.ts';

/** Types whose assignment casts keep every value or fail, for any former type. Others may round or cut. */
const KEEPING_TYPES = new Set(['TEXT', 'VARCHAR', 'CHARACTER VARYING', 'UUID', 'BOOLEAN', 'BOOL', 'BYTEA', 'JSON']);

/** First keywords of actions that keep all values or fail. */
const KEEPING_ACTIONS = new Set(
  'ADD ATTACH CLUSTER DETACH DISABLE ENABLE FORCE INHERIT NO NOT OF OWNER RENAME REPLICA RESET VALIDATE'.split(' '),
);

/** First keywords, after the column's name, of column actions that keep all values or fail. `DROP` drops a property. */
const KEEPING_COLUMN_ACTIONS = new Set(['ADD', 'DROP', 'RESET', 'SET']);

/**
 * The data losses of the actions of an `ALTER TABLE`.
 *
 * @param reader after `ALTER TABLE`
 * @returns one sentence for each loss; undefined if an action is unknown
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

/** Lengths are enforced: the assignment cast refuses longer values. */
function keepsValues(type: TokenReader): boolean {
  if (type.has('USING')) return false;
  const name = type.takes('CHARACTER', 'VARYING') ? 'CHARACTER VARYING' : type.name().toUpperCase();
  return KEEPING_TYPES.has(name);
}
