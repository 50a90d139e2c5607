import {
  buildModel,
  columnsOf,
  dateTime,
  elements,
  elementsTableOf,
  embeddable,
  embedded,
  entityOf,
  enumeration,
  enumOf,
  foreignColumnsOf,
  integer,
  keyColumnsOf,
  keyedEntity,
  linkTableOf,
  localDate,
  manyToMany,
  manyToManyInverse,
  standardEntity,
  storageOf,
  string,
  tableOf,
  toOne,
} from '../index.ts';

const MOOD = enumeration('t.Mood', { GOOD: 'good', BAD: 'bad' });

const model = buildModel({
  entities: [
    standardEntity('t_OrderLine', {
      attributes: { rate: toOne('t_Rate').mandatory(), tags: manyToMany('t_Tag'), notes: elements(20) },
    }),
    standardEntity('t_Tag', { attributes: { lines: manyToManyInverse('t_OrderLine', 'tags') } }),
    embeddable('t_RateKey', { attributes: { currency: string(3).mandatory(), validOn: localDate().mandatory() } }),
    keyedEntity('t_Rate', { key: 'id', attributes: { id: embedded('t_RateKey') } }),
    standardEntity('t_Party', { abstract: true, attributes: { name: string(50) } }),
    standardEntity('t_Company', { extends: 't_Party', attributes: { vatNumber: string(20) } }),
  ],
});

test('an entity is stored in a schema named after its prefix and a table in snake case', () => {
  expect(tableOf({ name: 'sales_OrderLine' })).toEqual({ schema: 'sales', name: 'order_line' });
});

test('a composite key has the columns of its embeddable, none of them nullable', () => {
  expect(keyColumnsOf(model, entityOf(model, 't_Rate'))).toEqual([
    { name: 'id_currency', type: 'varchar(3)', nullable: false },
    { name: 'id_valid_on', type: 'date', nullable: false },
  ]);
});

test('a to-one reference has one foreign column for each key column of its target', () => {
  const attribute = entityOf(model, 't_OrderLine').attributes.get('rate');
  if (attribute?.kind !== 'reference') throw new Error('rate is a reference');
  expect(foreignColumnsOf(model, attribute).map(({ name, targetColumn }) => [name, targetColumn])).toEqual([
    ['rate_id_currency', 'id_currency'],
    ['rate_id_valid_on', 'id_valid_on'],
  ]);
  expect(columnsOf(model, attribute).every((column) => !column.nullable)).toBe(true);
});

test('both ends of a M:N association name one link table, with the columns swapped', () => {
  const line = entityOf(model, 't_OrderLine');
  const tag = entityOf(model, 't_Tag');
  const owner = line.attributes.get('tags');
  const inverse = tag.attributes.get('lines');
  if (owner?.kind !== 'reference' || inverse?.kind !== 'reference') throw new Error('both are references');
  const fromLine = linkTableOf(model, line, owner);
  const fromTag = linkTableOf(model, tag, inverse);
  expect(fromLine.name).toBe('order_line_tags_link');
  expect(fromTag).toEqual({ ...fromLine, ownColumns: fromLine.targetColumns, targetColumns: fromLine.ownColumns });
});

test('an element collection keeps its order in a table of its own', () => {
  const attribute = entityOf(model, 't_OrderLine').attributes.get('notes');
  if (attribute?.kind !== 'elements') throw new Error('notes is an element collection');
  const table = elementsTableOf(model, attribute);
  expect([table.name, table.ownerColumns[0]?.name, table.valueColumn.type]).toEqual([
    'order_line_notes',
    'order_line_id',
    'varchar(20)',
  ]);
});

test('only the root of an inheritance tree has the discriminator', () => {
  expect(storageOf(model, entityOf(model, 't_Party')).discriminator?.name).toBe('entity_name');
  expect(storageOf(model, entityOf(model, 't_Company')).discriminator).toBeUndefined();
  expect(storageOf(model, entityOf(model, 't_Tag')).discriminator).toBeUndefined();
});

test('tables that others made have their own names, columns, types and links', () => {
  const found = buildModel({
    enums: [MOOD],
    entities: [
      embeddable('t_LineKey', {
        attributes: { order: integer().mandatory().column('order_no'), no: integer().mandatory() },
      }),
      keyedEntity('t_Line', {
        table: { schema: 'public', name: 'lines' },
        key: 'id',
        traits: { versioned: true, audited: ['createdDate'], softDeleted: ['deletedDate'] },
        attributes: {
          id: embedded('t_LineKey').columnPrefix(''),
          createdDate: dateTime().column('created_at').storedAs('timestamp with time zone'),
          mood: enumOf(MOOD).storedAs('public.mood'),
          grade: enumOf(MOOD).storedAs('character varying(5)'),
          previous: toOne('t_Line').column('prev_order', 'prev_no'),
          tags: manyToMany('t_Tag').linkedBy({
            schema: 'public',
            name: 'line_tag',
            columns: ['o', 'n'],
            targetColumns: ['t'],
          }),
        },
      }),
      standardEntity('t_Tag', { attributes: { lines: manyToManyInverse('t_Line', 'tags') } }),
    ],
  });
  const line = entityOf(found, 't_Line');
  const columns = [...line.attributes.values()].flatMap((attribute) => columnsOf(found, attribute));
  expect(storageOf(found, line).table).toEqual({ schema: 'public', name: 'lines' });
  expect(columns.map(({ name, type, readAs }) => [name, type, ...(readAs === undefined ? [] : [readAs])])).toEqual([
    ['version', 'integer'],
    ['created_at', 'timestamp with time zone'],
    ['deleted_date', 'timestamp(3)'],
    ['order_no', 'integer'],
    ['no', 'integer'],
    ['mood', 'public.mood', 'text'],
    ['grade', 'character varying(5)'],
    ['prev_order', 'integer'],
    ['prev_no', 'integer'],
  ]);
  expect(line.system).toEqual({ version: 'version', createdDate: 'createdDate', deletedDate: 'deletedDate' });
  const lines = entityOf(found, 't_Tag').attributes.get('lines');
  if (lines?.kind !== 'reference') throw new Error('lines is a reference');
  const link = linkTableOf(found, entityOf(found, 't_Tag'), lines);
  expect([
    link.schema,
    link.name,
    link.ownColumns.map(({ name }) => name),
    link.targetColumns.map(({ name }) => name),
  ]).toEqual(['public', 'line_tag', ['t'], ['o', 'n']]);
});
