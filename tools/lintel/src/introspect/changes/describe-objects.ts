import type { FoundColumn, FoundForeignKey, FoundTable } from '@lintel/schema';
import { tableName } from '../plan/model-plan.ts';

/** An object of a database, with all that a model may depend on. */
export interface DescribedObject {
  /** `table`, `column`, `foreign key` … */
  readonly object: string;
  /** `schema.table` */
  readonly table: string;
  /** Name in the table; empty for the table itself. */
  readonly name: string;
  readonly definition: string;
}

/** Every object of the tables, in their order. Pure. */
export function describeObjects(tables: readonly FoundTable[]): readonly DescribedObject[] {
  return tables.flatMap((table) => {
    const of = (object: string, name: string, definition: string): DescribedObject => ({
      object,
      table: oneLine(tableName(table)),
      name: oneLine(name),
      definition: oneLine(definition),
    });
    return [
      of('table', '', table.kind),
      ...table.columns.map((column) => of('column', column.name, columnText(column))),
      ...(table.primaryKey === null ? [] : [of('primary key', table.primaryKey.name, table.primaryKey.definition)]),
      ...table.foreignKeys.map((key) => of('foreign key', key.name, foreignKeyText(key))),
      ...table.indexes.map(({ name, definition }) => of('index', name, definition)),
      ...table.checks.map(({ name, definition }) => of('check', name, definition)),
      ...table.exclusions.map(({ name, definition }) => of('exclusion', name, definition)),
      ...table.automatisms.map(({ kind, name, definition }) => of(kind, name, definition)),
    ];
  });
}

function columnText({ type, baseType, labels, nullable, default: value, numbered, computed }: FoundColumn): string {
  return [
    type,
    ...(baseType === type ? [] : [`of ${baseType}`]),
    ...(labels === null ? [] : [`(${labels.join(', ')})`]),
    ...(nullable ? [] : ['NOT NULL']),
    ...(computed ? ['computed'] : numbered ? ['numbered'] : value === null ? [] : [`DEFAULT ${value}`]),
  ].join(' ');
}

const foreignKeyText = ({ columns, target, targetColumns, onDelete }: FoundForeignKey): string =>
  `(${columns.join(', ')}) REFERENCES ${tableName(target)} (${targetColumns.join(', ')}) ON DELETE ${onDelete}`;

/** Tabs and ends of lines separate the parts of the file. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
