import { type Model, tableOf } from '@lintel/metadata';
import type { DatabaseErrorDetails } from '@lintel/persistence';
import { describeTables } from './describe-tables.ts';
import { storedAttributesOf } from './stored-attributes.ts';
import type { ConstraintOrigin } from './table-description.ts';

/** Returns the entity and attributes of a violated constraint, in the terms of the model. */
export type ConstraintLookup = (details: DatabaseErrorDetails) => ConstraintOrigin | undefined;

const keyOf = (schema: string | undefined, table: string | undefined, columns: readonly string[]): string =>
  `${schema}.${table}(${columns.toSorted().join()})`;

/**
 * The lookup for one model: create it once per model. Constraints that the model does not define, such as those that an
 * application adds in its own migration, are not found; a foreign key of another name is found by its columns.
 */
export function constraintLookup(model: Model): ConstraintLookup {
  const origins = new Map<string, ConstraintOrigin>();
  for (const table of describeTables(model)) {
    for (const constraint of [
      ...(table.primaryKey === undefined ? [] : [table.primaryKey]),
      ...table.foreignKeys,
      ...table.indexes,
      ...(table.constraints ?? []),
    ]) {
      origins.set(`${table.schema}.${table.name}.${constraint.name}`, constraint.origin);
    }
    for (const { columns, origin } of table.foreignKeys) origins.set(keyOf(table.schema, table.name, columns), origin);
  }
  const columns = columnOrigins(model);
  return ({ schema, table, constraint, column, reference, parameter }) =>
    (parameter === undefined ? undefined : columns.get(keyOf(schema, table, [column ?? '']))) ??
    origins.get(`${schema}.${table}.${constraint}`) ??
    (reference?.kind === 'missing' ? origins.get(keyOf(schema, table, reference.columns)) : undefined);
}

/** The attributes of columns, for values that the database cannot read. */
const columnOrigins = (model: Model): ReadonlyMap<string, ConstraintOrigin> =>
  new Map(
    [...model.entities.values()]
      .filter(({ kind }) => kind === 'entity')
      .flatMap((entity) => {
        const { schema, name } = tableOf(entity);
        return storedAttributesOf(model, entity).flatMap(({ path, columns }) =>
          columns.map(
            (column) =>
              [
                keyOf(schema, name, [column.name]),
                { entity: entity.name, attributes: [path] } satisfies ConstraintOrigin,
              ] as const,
          ),
        );
      }),
  );
