import type { Entity } from '@lintel/metadata';
import type { Column } from '../read-plan.ts';
import type { RowSource } from '../row-source.ts';
import type { StatementContext } from '../statement-context.ts';
import type { SqlExpression } from './sql-expression.ts';

/** The key of a visible row, as a `SELECT` hands it on. */
export class SelectedKey {
  readonly context: StatementContext;
  readonly entity: Entity;
  readonly #columns: readonly Column[];

  /**
   * @param selected what the `SELECT` chooses
   * @param columns of the `SELECT`, for each of these
   * @throws Error unless the key of the row is what is chosen
   */
  constructor(source: RowSource, selected: readonly SqlExpression[], columns: readonly Column[]) {
    const key = source.keyColumns();
    const isKey = key.every(({ alias, name }, part) => {
      const one = selected[part];
      return one?.kind === 'column' && one.column.alias === alias && one.column.name === name;
    });
    if (!isKey || selected.length !== key.length || columns.length !== key.length)
      throw new Error(`The key of ${source.entity.name} is not what is selected`);
    this.context = source.context;
    this.entity = source.entity;
    this.#columns = columns;
  }

  keyColumns(): readonly Column[] {
    return this.#columns;
  }
}
