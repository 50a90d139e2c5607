import type { Statement } from '@lintel/persistence';
import type { WriteScope } from './write-scope.ts';

/** The wait for the answer to one statement must not become the wait for thousands. */
const SENT_TOGETHER = 100;

/**
 * Sends statements without waiting in between; after one that fails the database refuses the rest. An eager write
 * does not wait for the last ones either.
 */
export async function runInOrder(
  { transaction, isEager }: Pick<WriteScope, 'transaction' | 'isEager'>,
  statements: readonly Statement[],
): Promise<void> {
  if (isEager && statements.length <= SENT_TOGETHER) {
    for (const statement of statements) transaction.send(statement);
    return;
  }
  for (let at = 0; at < statements.length; at += SENT_TOGETHER) {
    const group = statements.slice(at, at + SENT_TOGETHER);
    await Promise.all(group.map((statement) => transaction.query(statement)));
  }
}
