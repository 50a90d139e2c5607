import type { SqlToken } from './split-statements.ts';
import { TokenReader } from './token-reader.ts';

/** Words before `UPDATE` that make it no statement: a lock of rows, an action of a key, an event of a trigger. */
const NO_STATEMENT = new Set(['FOR', 'KEY', 'ON', 'OR', 'BEFORE', 'AFTER', 'OF']);

/** The changes that a statement, or one inside it, makes to existing rows. A CTE can change them too. */
export function rowLosses(tokens: readonly SqlToken[]): readonly string[] {
  return tokens.flatMap((token, at) => {
    const reader = new TokenReader(tokens.slice(at + 1));
    switch (token.toUpperCase()) {
      case 'DELETE':
        return reader.takes('FROM') ? [`rows of ${reader.table()} are removed`] : [];
      case 'MERGE':
        return reader.takes('INTO') ? [`rows of ${reader.table()} are overwritten or removed`] : [];
      case 'UPDATE':
        return updateLosses(tokens, at, reader);
      default:
        return [];
    }
  });
}

function updateLosses(tokens: readonly SqlToken[], at: number, reader: TokenReader): readonly string[] {
  const before = tokens[at - 1]?.toUpperCase() ?? '';
  if (before === 'DO') return [`values of ${insertedInto(tokens, at)} are overwritten`];
  if (NO_STATEMENT.has(before)) return [];
  const table = reader.table();
  if (reader.takes('AS') || !reader.sees('SET')) reader.name();
  return reader.sees('SET') ? [`values of ${table} are overwritten`] : [];
}

/** The table of the `INSERT` whose conflict is resolved at a place. */
function insertedInto(tokens: readonly SqlToken[], at: number): string {
  const into = tokens.slice(0, at).findLastIndex((token) => token.toUpperCase() === 'INTO');
  return new TokenReader(tokens.slice(into + 1)).name();
}
