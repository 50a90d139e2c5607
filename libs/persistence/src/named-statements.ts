import type { StatementRunner } from './database.ts';

/** The rows of a statement, which is prepared under the name once per connection. */
export const rowsOf = <R extends object>(
  runner: StatementRunner,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly R[]> => runner.query<R>({ name, text, values });

/** The first row of such a statement. */
export const firstRowOf = async <R extends object>(...given: Parameters<typeof rowsOf>): Promise<R | undefined> =>
  (await rowsOf<R>(...given))[0];

/** Whether such a statement returns rows: with `RETURNING`, whether it has changed any. */
export const hasRows = async (...given: Parameters<typeof rowsOf>): Promise<boolean> =>
  (await rowsOf(...given)).length > 0;
