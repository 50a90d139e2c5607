import type { Statement } from '@lintel/persistence';
import type { WriteScope } from './write-scope.ts';

/** The wait for the answer to one statement must not become the wait for thousands. */
const SENT_TOGETHER = 100;

/** Sends statements without waiting in between; after one that fails the database refuses the rest. */
export async function runInOrder(
  { transaction }: Pick<WriteScope, 'transaction'>,
  statements: readonly Statement[],
): Promise<void> {
  for (let at = 0; at < statements.length; at += SENT_TOGETHER) {
    const group = statements.slice(at, at + SENT_TOGETHER);
    await Promise.all(group.map((statement) => transaction.query(statement)));
  }
}
