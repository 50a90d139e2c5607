import type { Model } from '@lintel/metadata';
import { canonicalType } from '../tables/expected/canonical-type.ts';
import { describeTables } from '../tables/expected/describe-tables.ts';
import type { IndexDescription, KeyDescription, TableDescription } from '../tables/expected/table-description.ts';
import type { Catalogue, CatalogueConstraint, CatalogueIndex, CatalogueTable } from './catalogue.ts';
import { PLATFORM_CATALOGUE } from './platform-catalogue.ts';

const keyOf = ({ schema, name }: CatalogueTable): string => `${schema}.${name}`;

const PLATFORM_TABLES = new Map(PLATFORM_CATALOGUE.tables.map((table) => [keyOf(table), table]));

/** The tables with what the migrations of the platform add to its own ones. Pure. */
export const expectedTables = (described: readonly TableDescription[]): readonly CatalogueTable[] =>
  described.map(catalogueTable).map((table) => joined(PLATFORM_TABLES.get(keyOf(table)), table));

/** The catalogue of a database that fits the model and this version of the platform. Pure. */
export function expectedCatalogue(model: Model): Catalogue {
  const described = expectedTables(describeTables(model));
  const ofModel = new Set(described.map(keyOf));
  const tables = [...described, ...PLATFORM_CATALOGUE.tables.filter((table) => !ofModel.has(keyOf(table)))];
  return { ...PLATFORM_CATALOGUE, tables: tables.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)) };
}

/** Entities of the platform are in both catalogues; the one of its migrations also contains defaults. */
function joined(known: CatalogueTable | undefined, table: CatalogueTable): CatalogueTable {
  if (known === undefined) return table;
  const both = <T extends { readonly name: string }>(first: readonly T[], second: readonly T[]): readonly T[] => [
    ...first,
    ...second.filter(({ name }) => !first.some((other) => other.name === name)),
  ];
  return {
    ...table,
    columns: both(known.columns, table.columns),
    constraints: both(known.constraints, table.constraints),
    indexes: both(known.indexes, table.indexes),
  };
}

const listOf = (columns: readonly string[]): string => columns.join(', ');

const primaryKeyOf = ({ name, columns }: KeyDescription): CatalogueConstraint => ({
  name,
  kind: 'primary key',
  definition: `PRIMARY KEY (${listOf(columns)})`,
});

function catalogueTable(table: TableDescription): CatalogueTable {
  const { schema, name, primaryKey } = table;
  const constraints: readonly CatalogueConstraint[] = [
    ...(primaryKey === undefined ? [] : [primaryKeyOf(primaryKey)]),
    ...table.foreignKeys.map((key): CatalogueConstraint => {
      const target = `${key.target.schema}.${key.target.name}(${listOf(key.targetColumns)})`;
      const onDelete = key.onDelete === 'NO ACTION' ? '' : ` ON DELETE ${key.onDelete}`;
      const definition = `FOREIGN KEY (${listOf(key.columns)}) REFERENCES ${target}${onDelete}`;
      return { name: key.name, kind: 'foreign key', definition };
    }),
    // In a table of another owner the database alone knows them.
    ...(table.external ? [] : (table.constraints ?? [])).map(
      ({ name: own, kind, definition }): CatalogueConstraint => ({ name: own, kind, definition, isNamedByHash: true }),
    ),
  ];
  return {
    schema,
    name,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: canonicalType(column.type),
      nullable: column.nullable,
      default: null,
      generated: column.identity ? 'identity' : null,
      ...(column.anyNullability === true ? { anyNullability: true as const } : {}),
      ...(column.generated === true ? { anyGeneration: true as const } : {}),
    })),
    constraints,
    ...(table.triggers === undefined ? {} : { triggers: table.triggers }),
    ...(table.external ? { external: true } : {}),
    ...(table.takenOver === true ? { takenOver: true } : {}),
    ...(table.isView === true ? { isView: true } : {}),
    indexes: table.indexes
      .filter(({ definition }) => !table.external || definition === undefined)
      .map((index) => catalogueIndex(table, index)),
  };
}

function catalogueIndex(table: TableDescription, index: IndexDescription): CatalogueIndex {
  const { name, unique, search, columns, where, definition: special } = index;
  const keys = search ? `lower((${columns[0]})::text) text_pattern_ops` : listOf(columns);
  const condition = where === undefined ? '' : ` WHERE (${where})`;
  const kind = unique ? 'UNIQUE INDEX' : 'INDEX';
  if (special !== undefined) return { name, unique, definition: special, isNamedByHash: true };
  return {
    name,
    unique,
    definition: `CREATE ${kind} ${name} ON ${table.schema}.${table.name} USING btree (${keys})${condition}`,
  };
}
