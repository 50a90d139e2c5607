import { createdTables, indexStatement, type SchemaDifference } from '@lintel/schema';

/** A step, and the statements that follow it outside of a transaction. */
export interface SplitDifference {
  readonly main: Pick<SchemaDifference, 'up' | 'down'>;
  /** Empty where no index of an existing table is created. */
  readonly indexes: Pick<SchemaDifference, 'up' | 'down'>;
  /** The validation of new checks of existing tables, which must not hold the locks of their creation. */
  readonly validation: Pick<SchemaDifference, 'up' | 'down'>;
}

/**
 * Removes new indexes and validations of existing tables from a step: creating an index in a transaction blocks writes to the table,
 * creating it concurrently does not. Indexes of new and of partitioned tables, and those that replace one of the same name,
 * stay in the step.
 */
export function splitIndexes({
  up,
  down,
  partitioned,
}: Pick<SchemaDifference, 'up' | 'down' | 'partitioned'>): SplitDifference {
  const created = new Set([...partitioned, ...createdTables(up)]);
  const moved = up.flatMap((statement) => {
    const index = indexStatement(statement);
    if (index === undefined || created.has(index.table) || up.includes(`DROP INDEX ${index.index}`)) return [];
    return [index];
  });
  const validation = up.filter((statement) => / VALIDATE CONSTRAINT /.test(statement));
  const statements = new Set([...validation, ...moved.map(({ statement }) => statement)]);
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
    validation: { up: validation, down: ['-- the checks stay valid'] },
  };
}
