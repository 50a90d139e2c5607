import type { Statement, StatementRunner } from '../database.ts';
import type { OrmTransaction } from './orm-session.ts';

/** Transactions of TypeORM inside a transaction: savepoints, which must end in reverse order. */
export interface Savepoints {
  begin(): Promise<OrmTransaction>;
  /** Number of savepoints that have not ended. */
  readonly open: number;
}

const NOT_NESTED =
  'Transactions of TypeORM inside one transaction must be nested, they cannot run in parallel: the later one was rolled back with the earlier one';

/**
 * Creates savepoints of a transaction. A savepoint that ends while a later one is open is rolled back together with the
 * later one, since PostgreSQL keeps the changes of both or of none.
 */
export function createSavepoints(runner: StatementRunner): Savepoints {
  const open: string[] = [];
  let count = 0;
  const control = (text: string): Promise<unknown> => runner.query({ text, values: [] });
  const rollbackTo = async (name: string): Promise<void> => {
    const at = open.indexOf(name);
    // It was rolled back with an earlier one.
    if (at < 0) return;
    open.splice(at);
    await control(`ROLLBACK TO SAVEPOINT ${name}`);
    await control(`RELEASE SAVEPOINT ${name}`);
  };
  return {
    get open() {
      return open.length;
    },
    async begin() {
      count += 1;
      const name = `lintel_typeorm_${count}`;
      open.push(name);
      await control(`SAVEPOINT ${name}`);
      const assertOpen = (): void => {
        if (!open.includes(name)) throw new Error(NOT_NESTED);
      };
      return {
        isOutermost: false,
        async run(statement: Statement) {
          assertOpen();
          return runner.query(statement);
        },
        async commit() {
          assertOpen();
          if (open.at(-1) !== name) {
            await rollbackTo(name);
            throw new Error(NOT_NESTED);
          }
          open.pop();
          await control(`RELEASE SAVEPOINT ${name}`);
        },
        rollback: () => rollbackTo(name),
      };
    },
  };
}
