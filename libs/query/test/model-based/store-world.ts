import {
  type Attribute,
  type Column,
  columnsOf,
  DISCRIMINATOR_COLUMN,
  type Entity,
  elementsTableOf,
  entityOf,
  keyColumnsOf,
  lineageOf,
  linkTableOf,
  type Model,
  quoteIdentifier,
  quoteTable,
  storageOf,
  type Table,
} from '@lintel/metadata';
import { storeDynamicValues } from './dynamic.ts';
import { keyAttributesOf, scalarTypeOf } from './generate-world.ts';
import type { Scalar, ScalarType } from './scalars.ts';
import { type Embedded, type Instance, isInstance, type World, type WorldValue } from './world.ts';

const quoted = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function stored(type: ScalarType, value: Scalar | null): string {
  if (value === null) return 'NULL';
  if (type.kind === 'enum') return quoted(String(type.values.find(({ name }) => name === value)?.id));
  if (type.datatype === 'byteArray') return `decode(${quoted(String(value))}, 'base64')`;
  return quoted(Object.is(value, -0) ? '-0' : String(value));
}

const keyValues = (model: Model, instance: Instance): readonly string[] =>
  keyAttributesOf(model, instance.entity).map((attribute, at) =>
    stored(scalarTypeOf(model, attribute), instance.key[at] ?? null),
  );

/** The SQL values of an attribute, as many as it has columns. */
function columnValues(model: Model, attribute: Attribute, value: WorldValue, prefix = ''): readonly string[] {
  const columns = columnsOf(model, attribute, prefix);
  if (columns.length === 0 || value === null) return columns.map(() => 'NULL');
  if (attribute.kind === 'datatype' || attribute.kind === 'enum')
    return [stored(scalarTypeOf(model, attribute), value as Scalar)];
  if (attribute.kind === 'embedded')
    return [...entityOf(model, attribute.target).attributes.values()].flatMap((inner) =>
      columnValues(model, inner, (value as Embedded)[inner.name] ?? null, `${prefix}x_`),
    );
  return isInstance(value) ? keyValues(model, value) : [];
}

function insert(table: Table, rows: readonly ReadonlyMap<string, string>[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const columns = [...first.keys()].map(quoteIdentifier).join(', ');
  const values = rows.map((row) => `(${[...row.values()].join(', ')})`).join(',\n');
  return `INSERT INTO ${quoteTable(table)} (${columns}) OVERRIDING SYSTEM VALUE VALUES\n${values};\n`;
}

const rowOf = (columns: readonly Pick<Column, 'name'>[], values: readonly string[]): [string, string][] =>
  columns.map(({ name }, at) => [name, values[at] ?? 'NULL']);

/** One script that stores all rows; references may go in rings, so that they are not checked. */
export function storeWorld(world: World): string {
  const { model, instances } = world;
  const tables = [...model.entities.values()].filter(({ kind }) => kind === 'entity');
  const script = tables.map((entity) => {
    const rows = instances.filter((instance) => lineageOf(model, instance.entity).includes(entity));
    return insertEntity(model, entity, rows);
  });
  return `SET session_replication_role = replica;\n${script.join('')}${storeDynamicValues(world)}`;
}

function insertEntity(model: Model, entity: Entity, rows: readonly Instance[]): string {
  const own = [...entity.attributes.values()].filter(({ declaredBy }) => declaredBy === entity.name);
  const { table, discriminator } = storageOf(model, entity);
  const local = own.filter(({ kind, name }) => kind !== 'elements' && name !== entity.key?.attribute);
  const main = rows.map(
    (row) =>
      new Map([
        ...rowOf(keyColumnsOf(model, entity), keyValues(model, row)),
        ...(discriminator === undefined ? [] : [[DISCRIMINATOR_COLUMN, quoted(row.entity.name)] as const]),
        ...local.flatMap((attribute) =>
          rowOf(columnsOf(model, attribute), columnValues(model, attribute, row.values[attribute.name] ?? null)),
        ),
      ]),
  );
  return [insert(table, main), ...own.map((attribute) => insertSideTable(model, entity, attribute, rows))].join('');
}

function insertSideTable(model: Model, entity: Entity, attribute: Attribute, rows: readonly Instance[]): string {
  if (attribute.kind === 'elements') {
    const table = elementsTableOf(model, attribute);
    const entries = rows.flatMap((row) =>
      (row.values[attribute.name] as readonly Scalar[]).map(
        (value, position) =>
          new Map([
            ...rowOf(table.ownerColumns, keyValues(model, row)),
            [table.positionColumn.name, String(position)] as const,
            [table.valueColumn.name, stored(scalarTypeOf(model, attribute), value)] as const,
          ]),
      ),
    );
    return insert(table, entries);
  }
  if (attribute.kind !== 'reference' || attribute.cardinality !== 'MANY_TO_MANY' || !attribute.owning) return '';
  const table = linkTableOf(model, entity, attribute);
  const links = rows.flatMap((row) =>
    (row.values[attribute.name] as readonly Instance[]).map(
      (target) =>
        new Map([
          ...rowOf(table.ownColumns, keyValues(model, row)),
          ...rowOf(table.targetColumns, keyValues(model, target)),
        ]),
    ),
  );
  return insert(table, links);
}
