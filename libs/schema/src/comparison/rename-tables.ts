import { StartError } from '@lintel/errors';
import {
  type Attribute,
  type Entity,
  entityOf,
  hasTable,
  type Model,
  quoteIdentifier,
  quoteTable,
  rootOf,
  storageOf,
  storingEntity,
  type Table,
  tableOf,
} from '@lintel/metadata';
import { isPlatformSchema } from '../drift/kept-parts.ts';
import { canonicalType } from '../tables/expected/canonical-type.ts';
import { describeTables } from '../tables/expected/describe-tables.ts';
import type { TableDescription } from '../tables/expected/table-description.ts';
import { isGeneratedTable, type SchemaState } from './find-changes.ts';
import { freeingFirst, isCompatible } from './rename-columns.ts';
import { type ColumnRename, joinChanges, type SchemaChange, type TableRename } from './schema-difference.ts';
import { constant } from './statements.ts';

const nameOf = ({ schema, name }: Table): string => `${schema}.${name}`;

/** `shop.buyer`, or the name of an entity. */
function locationOf(text: string): Table {
  const at = text.indexOf('.');
  return at < 0 ? tableOf({ name: text }) : { schema: text.slice(0, at), name: text.slice(at + 1) };
}

/** A table and what it was before. */
export interface FormerTable {
  readonly from: Table;
  readonly table: TableDescription;
  /** Columns whose names follow from the names of tables. */
  readonly columns: readonly ColumnRename[];
  /** Who says so: an entity, an attribute with a table of its own, or the user; undefined if it follows from another. */
  readonly saidBy?: string;
}

/** The model with the former names of its tables, and nothing else changed. */
function formerModel(model: Model, given: ReadonlyMap<string, Table>): Model {
  const locations = new Map(given);
  for (const entity of model.entities.values())
    if (entity.renamedFrom !== undefined && storingEntity(model, entity) === entity)
      locations.set(nameOf(tableOf(entity)), locationOf(entity.renamedFrom));
  const formerAttribute = (attribute: Attribute): Attribute => {
    const { renamedFrom: name } = attribute;
    if (name === undefined || !hasTable(attribute)) return attribute;
    if (attribute.kind !== 'reference') return { ...attribute, name };
    const { link, ...others } = attribute;
    return name.includes('.')
      ? { ...attribute, link: { columns: [], targetColumns: [], ...link, ...locationOf(name) } }
      : { ...others, name };
  };
  const formerEntity = (entity: Entity): Entity => {
    const table = locations.get(nameOf(tableOf(entity)));
    const attributes = new Map([...entity.attributes].map(([name, each]) => [name, formerAttribute(each)] as const));
    return { ...entity, attributes, ...(table === undefined ? {} : { table: { ...entity.table, ...table } }) };
  };
  return { ...model, entities: new Map([...model.entities].map(([name, each]) => [name, formerEntity(each)])) };
}

const obsolete = (name: string, renamedFrom: string): string =>
  `${name} has renamedFrom('${renamedFrom}'), which is obsolete and to be removed`;

/** What the model says about the former name of a table. */
function saidOf(model: Model, { primaryKey }: TableDescription): string | undefined {
  if (primaryKey === undefined) return undefined;
  const entity = entityOf(model, primaryKey.origin.entity);
  const [name = ''] = primaryKey.origin.attributes;
  const attribute = entity.attributes.get(name);
  const isSide = attribute !== undefined && hasTable(attribute);
  const former = isSide ? attribute.renamedFrom : entity.renamedFrom;
  return former === undefined ? undefined : obsolete(isSide ? `${entity.name}.${name}` : entity.name, former);
}

/**
 * The tables that had another name: those that the model or the user names, and those whose names follow from them.
 *
 * @throws StartError for a table that the model does not have
 */
export function formerTables(model: Model, renames: readonly TableRename[]): readonly FormerTable[] {
  const given = new Map(renames.map(({ table, to }) => [to, locationOf(table)]));
  const before = describeTables(formerModel(model, given));
  const tables = describeTables(model);
  for (const { table, to } of renames)
    if (!tables.some((each) => nameOf(each) === to))
      throw new StartError(`${table} cannot become ${to}: the model has no such table.`);
  return tables.flatMap((table, at): readonly FormerTable[] => {
    const { columns: formerColumns = [], ...former } = before[at] ?? table;
    const from = given.get(nameOf(table)) ?? former;
    const columns = table.columns.flatMap(({ name: to }, position) => {
      const name = formerColumns[position]?.name ?? to;
      return name === to ? [] : [{ table: nameOf(table), from: name, to }];
    });
    const saidBy = given.has(nameOf(table)) ? `${nameOf(from)} cannot become ${nameOf(table)}` : saidOf(model, table);
    if (table.external || (saidBy === undefined && nameOf(from) === nameOf(table) && columns.length === 0)) return [];
    return [{ from, table, columns, ...(saidBy === undefined ? {} : { saidBy }) }];
  });
}

/**
 * The renames that a database needs.
 *
 * @throws StartError if a former table that the model or the user names is not there, or the new one already is
 */
export function neededIn(state: SchemaState, former: readonly FormerTable[]): readonly FormerTable[] {
  const left = new Set(
    former.filter(({ from, table }) => nameOf(from) !== nameOf(table)).map(({ from }) => nameOf(from)),
  );
  return former.flatMap(({ columns, ...each }) => {
    const [from, to] = [nameOf(each.from), nameOf(each.table)];
    const columnsIn = state.tables.find((one) => nameOf(one) === from)?.columns;
    const isTaken = from !== to && !left.has(to) && state.tables.some((one) => nameOf(one) === to);
    if (each.saidBy !== undefined && (columnsIn === undefined || isTaken || from === to))
      throw new StartError(
        `${each.saidBy}: ${columnsIn === undefined ? `the migrations make no table ${from}` : `they make the table ${to} already`}.`,
      );
    if (columnsIn === undefined || isTaken) return [];
    const there = columnsIn.map(({ name }) => name).filter((name) => !columns.some((column) => column.from === name));
    const has = (name: string): boolean => columnsIn.some((column) => column.name === name);
    return [{ ...each, columns: columns.filter((column) => has(column.from) && !there.includes(column.to)) }];
  });
}

/** Pairs of a removed and an added table that share at least half of their columns. */
export function possibleTables(known: readonly TableDescription[], state: SchemaState): readonly TableRename[] {
  const isIn = (tables: readonly Table[], table: Table): boolean =>
    tables.some((each) => nameOf(each) === nameOf(table));
  const added = known.filter((table) => !table.external && !isIn(state.tables, table));
  return state.tables
    .filter(
      (table) => !isIn(known, table) && !isPlatformSchema(table.schema) && isGeneratedTable(nameOf(table), state.parts),
    )
    .flatMap((removed) =>
      added
        .filter(({ columns }) => {
          const shared = columns.filter(({ name, type }) =>
            removed.columns.some((each) => each.name === name && isCompatible(each.type, canonicalType(type))),
          );
          return shared.length * 2 >= Math.max(columns.length, removed.columns.length);
        })
        .map((table): TableRename => ({ table: nameOf(removed), to: nameOf(table) })),
    );
}

/**
 * Renames entities in the rows of an inheritance tree, which contain the names of their entities.
 *
 * @param steps statements of the migrations so far
 * @throws StartError if a migration has renamed them, and no later one has renamed them back
 */
export function renamedRows(model: Model, steps: readonly string[]): SchemaChange {
  const renamed = [...model.entities.values()].flatMap((entity) => {
    const { name, renamedFrom = '.', abstract } = entity;
    if (renamedFrom.includes('.') || abstract) return [];
    const { table, discriminator } = storageOf(model, rootOf(model, entity));
    if (discriminator === undefined || discriminator.values !== undefined) return [];
    const other = model.entities.get(renamedFrom);
    if (other !== undefined && other.renamedFrom === undefined)
      throw new StartError(`${name} has renamedFrom('${renamedFrom}'), which is another entity of the model.`);
    const column = quoteIdentifier(discriminator.name);
    const update = (to: string, from: string): string =>
      `UPDATE ${quoteTable(table)} SET ${column} = ${constant(to)} WHERE ${column} = ${constant(from)}`;
    const [up, down] = [update(name, renamedFrom), update(renamedFrom, name)];
    if (steps.lastIndexOf(up) > steps.lastIndexOf(down))
      throw new StartError(`${obsolete(name, renamedFrom)}: the migrations have renamed its rows.`);
    return [{ from: renamedFrom, to: name, up, down }];
  });
  return freeingFirst(
    renamed,
    ({ from }) => from,
    ({ to }) => to,
  )
    .map(({ up, down }) => ({ up: [up], down: [down] }))
    .reduce<SchemaChange>(joinChanges, { up: [], down: [] });
}
