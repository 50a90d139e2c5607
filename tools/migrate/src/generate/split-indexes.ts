import { indexStatement, type SchemaDifference } from '@lintel/schema';

/** A step, and what follows it outside of a transaction. */
export interface SplitDifference {
  readonly main: Pick<SchemaDifference, 'up' | 'down'>;
  /** Empty where no index of an existing table is made. */
  readonly indexes: Pick<SchemaDifference, 'up' | 'down'>;
}

/**
 * Takes the new indexes of tables that exist out of a step: while one is built in a transaction nobody can
 * write to the table, however large it is. Built concurrently it keeps nobody waiting. Indexes of new tables
 * stay, and so do those that replace one of the same name.
 */
export function splitIndexes({ up, down }: Pick<SchemaDifference, 'up' | 'down'>): SplitDifference {
  const created = new Set(up.flatMap((statement) => /^CREATE TABLE (\S+)/.exec(statement)?.[1] ?? []));
  const moved = up.flatMap((statement) => {
    const index = indexStatement(statement);
    if (index === undefined || created.has(index.table) || up.includes(`DROP INDEX ${index.index}`)) return [];
    return [index];
  });
  const statements = new Set(moved.map(({ statement }) => statement));
  const drops = new Set(moved.map(({ index }) => `DROP INDEX ${index}`));
  return {
    main: {
      up: up.filter((statement) => !statements.has(statement)),
      down: down.filter((statement) => !drops.has(statement)),
    },
    indexes: {
      up: moved.map(({ statement }) => statement.replace(/^CREATE (UNIQUE )?INDEX/, 'CREATE $1INDEX CONCURRENTLY')),
      down: moved.map(({ index }) => `DROP INDEX CONCURRENTLY ${index}`).reverse(),
    },
  };
}
