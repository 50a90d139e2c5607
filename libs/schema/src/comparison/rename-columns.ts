import { StartError } from '@lintel/errors';
import { columnsOf, type Model, quoteIdentifier, quoteTable, type Table, tableOf } from '@lintel/metadata';
import { generatedName } from '../drift/is-generated.ts';
import { isHistoryTrigger } from '../drift/kept-parts.ts';
import { isText, keepsValues } from '../migrations/revert/keeps-values.ts';
import { canonicalType } from '../tables/expected/canonical-type.ts';
import { storedAttributesOf } from '../tables/expected/stored-attributes.ts';
import type { TableDescription } from '../tables/expected/table-description.ts';
import type { SchemaState } from './find-changes.ts';
import type { ColumnRename, SchemaChange } from './schema-difference.ts';
import { constant } from './statements.ts';

const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;

const columnsIn = (state: SchemaState, table: string) =>
  state.tables.find((each) => nameOf(each) === table)?.columns ?? [];

/**
 * Renames in the order in which each new name is free: a chain from its end.
 *
 * @throws StartError for names that are exchanged, a name that becomes two, and two names that become one
 */
export function freeingFirst<T>(renames: readonly T[], from: (one: T) => string, to: (one: T) => string): readonly T[] {
  const refuse = (wrong: readonly T[], reason: string): void => {
    if (wrong.length > 0)
      throw new StartError(`${wrong.map((one) => `${from(one)} becomes ${to(one)}`).join(', ')}: ${reason}`);
  };
  const changed = renames.filter((one) => from(one) !== to(one));
  const hasRival = (one: T): boolean =>
    changed.some((other) => other !== one && (from(other) === from(one) || to(other) === to(one)));
  refuse(changed.filter(hasRival), 'one name cannot become two, nor two names one.');
  const waits = (one: T): boolean => renames.some((other) => other !== one && from(other) === to(one));
  const [free, waiting] = [renames.filter((one) => !waits(one)), renames.filter(waits)];
  if (free.length === 0)
    refuse(waiting, 'names cannot be exchanged in one step. Give one of them another name first, in a separate step.');
  return [...free, ...(waiting.length === 0 ? [] : freeingFirst(waiting, from, to))];
}

/**
 * The columns whose attributes name a former one (`renamedFrom`).
 *
 * @throws StartError if a former column is not there, or the new one already is
 */
export function declaredRenames(model: Model, state: SchemaState): readonly ColumnRename[] {
  const entities = [...model.entities.values()].filter(({ kind }) => kind === 'entity');
  return entities.flatMap((entity) => {
    const table = nameOf(tableOf(entity));
    const renames = storedAttributesOf(model, entity).flatMap(({ attribute, path, prefix, columns }) => {
      const { renamedFrom: former, columns: _names, ...unnamed } = attribute;
      if (former === undefined) return [];
      const derived = columnsOf(model, { ...unnamed, name: former } as typeof attribute, prefix);
      return columns.map(({ name: to }, at) => {
        const from = [derived[at]?.name ?? former, former].find((name) => has(state, table, name));
        return { table, from, to, said: `${entity.name}.${path} has renamedFrom('${former}')` };
      });
    });
    return renames.map(({ from, to, said }): ColumnRename => {
      const isTaken = has(state, table, to) && !renames.some((other) => other.from === to);
      if (from === undefined || isTaken)
        throw new StartError(
          `${said}, which is obsolete: ${from === undefined ? `the migrations make no such column in ${table}` : `${table} has the column ${to} already`}. Remove it.`,
        );
      return { table, from, to };
    });
  });
}

const has = (state: SchemaState, table: string, column: string): boolean =>
  columnsIn(state, table).some(({ name }) => name === column);

/** @throws StartError if a rename is not one of a removed and an added column */
export function assertPossible(renames: readonly ColumnRename[], possible: readonly ColumnRename[]): void {
  for (const { table, from, to } of renames)
    if (!possible.some((each) => each.table === table && each.from === from && each.to === to))
      throw new StartError(
        `${table}.${from} cannot become ${to}: name a column that the model removes, and one of a compatible type that it adds to the same table. Possible: ${possible.map((each) => `${each.table}.${each.from}=${each.to}`).join(', ') || 'none'}.`,
      );
}

/** Any value has a text, which does not make a number the former form of a text. */
export const isCompatible = (from: string, to: string): boolean => isText(from) === isText(to) && keepsValues(from, to);

/**
 * Pairs of a removed and an added column of a table, of which the second can take every value of the first.
 *
 * @param given renames of a chain: a name that another column takes is removed, a name that its column leaves is added
 */
export const possibleRenames = (
  tables: readonly TableDescription[],
  state: SchemaState,
  given: readonly ColumnRename[] = [],
): readonly ColumnRename[] =>
  tables.flatMap((described) => {
    const table = nameOf(described);
    const stored = columnsIn(state, table);
    const renames = given.filter((each) => each.table === table);
    const isLeft = (name: string): boolean => renames.some(({ from }) => from === name);
    const isTaken = (name: string): boolean => renames.some(({ to }) => to === name);
    const added = described.columns.filter(({ name }) => isLeft(name) || !stored.some((each) => each.name === name));
    return stored
      .filter(({ generated }) => generated !== 'stored')
      .filter(({ name }) => isTaken(name) || !described.columns.some((each) => each.name === name))
      .flatMap(({ name: from, type }) =>
        added
          .filter(({ name, type: next }) => name !== from && isCompatible(type, canonicalType(next)))
          .map(({ name: to }): ColumnRename => ({ table, from, to })),
      );
  });

/** Entries of the history have the present names of tables and columns. */
const renameSource = (from: string, to: string): string =>
  `UPDATE history.entry SET source = ${constant(to)} WHERE source = ${constant(from)}`;

const renameMember = (table: string, from: string, to: string): string => {
  const renamed = (state: string): string =>
    `${state} = CASE WHEN ${state} ? ${constant(from)} THEN ${state} - ${constant(from)} || jsonb_build_object(${constant(to)}, ${state} -> ${constant(from)}) ELSE ${state} END`;
  return `UPDATE history.entry SET ${renamed('before')}, ${renamed('after')} WHERE source = ${constant(table)}`;
};

/**
 * Renames tables and columns, and the constraints and indexes whose generated names contain them.
 *
 * @param moved tables that are not there, with the ones that become them
 */
export function renameColumns(
  renames: readonly ColumnRename[],
  tables: readonly TableDescription[],
  state: SchemaState,
  moved: ReadonlyMap<string, Table> = new Map(),
): SchemaChange {
  const up: string[] = [];
  const down: string[] = [];
  const add = (before: string, from: string, to: string): void => {
    up.push(`${before} ${quoteIdentifier(from)} TO ${quoteIdentifier(to)}`);
    down.unshift(`${before} ${quoteIdentifier(to)} TO ${quoteIdentifier(from)}`);
  };
  const schemas = new Set(state.schemas);
  const formerOf = (table: TableDescription): Table => moved.get(nameOf(table)) ?? table;
  for (const table of freeingFirst(tables, (each) => nameOf(formerOf(each)), nameOf)) {
    const former = formerOf(table);
    if (!schemas.has(table.schema) && former !== table) {
      up.push(`CREATE SCHEMA ${quoteIdentifier(table.schema)}`);
      down.unshift(`DROP SCHEMA ${quoteIdentifier(table.schema)}`);
      schemas.add(table.schema);
    }
    if (former.schema !== table.schema) {
      const before = { ...former, schema: table.schema };
      up.push(`ALTER TABLE ${quoteTable(former)} SET SCHEMA ${quoteIdentifier(table.schema)}`);
      down.unshift(`ALTER TABLE ${quoteTable(before)} SET SCHEMA ${quoteIdentifier(former.schema)}`);
    }
    if (former.name !== table.name) {
      up.push(
        `ALTER TABLE ${quoteTable({ ...former, schema: table.schema })} RENAME TO ${quoteIdentifier(table.name)}`,
      );
      down.unshift(`ALTER TABLE ${quoteTable(table)} RENAME TO ${quoteIdentifier(former.name)}`);
    }
    const alter = `ALTER TABLE ${quoteTable(table)} RENAME`;
    const columns = renames.filter((each) => each.table === nameOf(table));
    const isRecorded = state.parts.some(
      ({ table: path, kind, definition }) =>
        path === nameOf(former) && kind === 'trigger' && isHistoryTrigger(definition),
    );
    if (isRecorded && nameOf(former) !== nameOf(table)) {
      up.push(renameSource(nameOf(former), nameOf(table)));
      down.unshift(renameSource(nameOf(table), nameOf(former)));
    }
    const names = new Map(columns.map(({ from, to }) => [from, to]));
    for (const { from, to } of freeingFirst(
      columns,
      ({ from }) => from,
      ({ to }) => to,
    )) {
      add(`${alter} COLUMN`, from, to);
      if (!isRecorded) continue;
      up.push(renameMember(nameOf(table), from, to));
      down.unshift(renameMember(nameOf(table), to, from));
    }
    const parts = state.parts
      .filter((part) => part.table === nameOf(former))
      .filter((part) => former.name !== table.name || part.columns.some((column) => names.has(column)))
      .map(({ kind, name, definition }) => {
        const object = definition.startsWith('CREATE UNIQUE') ? 'unique index' : kind;
        const renamed = (column: string): string => names.get(column) ?? column;
        return {
          kind,
          name,
          to: generatedName(former.name, { object, name, definition }, renamed, table.name) ?? name,
        };
      })
      .filter(({ name, to }) => name !== to);
    for (const { kind, name, to } of freeingFirst(
      parts,
      ({ name }) => name,
      ({ to }) => to,
    )) {
      if (kind !== 'index') add(`${alter} CONSTRAINT`, name, to);
      else {
        up.push(`ALTER INDEX ${quoteTable({ ...table, name })} RENAME TO ${quoteIdentifier(to)}`);
        down.unshift(`ALTER INDEX ${quoteTable({ ...table, name: to })} RENAME TO ${quoteIdentifier(name)}`);
      }
    }
  }
  return { up, down };
}
