import type { Statement } from '@lintel/persistence';
import type { WriteScope } from './write-scope.ts';

/** Maximum number of statements sent together: the result of one statement must not wait for thousands of others. */
const SENT_TOGETHER = 100;

/** Rows that are sent together: other requests go on while the database works at them. */
const ROWS_TOGETHER = 1_000;

/**
 * Sends statements without waiting in between; after one that fails the database refuses the rest. An eager write
 * does not wait for the last ones either.
 */
export async function runInOrder(
  { transaction, isPipelined }: Pick<WriteScope, 'transaction' | 'isPipelined'>,
  statements: Iterable<Statement>,
): Promise<void> {
  let group: Statement[] = [];
  let rows = 0;
  let isFirst = true;
  for (const statement of statements) {
    if (group.length > 0 && (group.length >= SENT_TOGETHER || rows + rowsOf(statement) > ROWS_TOGETHER)) {
      await Promise.all(group.map((one) => transaction.query(one)));
      group = [];
      rows = 0;
      isFirst = false;
    }
    group.push(statement);
    rows += rowsOf(statement);
  }
  if (isPipelined && isFirst) for (const statement of group) transaction.send(statement);
  else await Promise.all(group.map((statement) => transaction.query(statement)));
}

/** Many rows travel as one array for each column. */
function rowsOf({ values }: Statement): number {
  const last = values.at(-1);
  return Array.isArray(last) ? last.length : 1;
}
