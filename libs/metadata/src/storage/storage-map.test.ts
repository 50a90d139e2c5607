import {
  buildModel,
  columnsOf,
  elements,
  elementsTableOf,
  embeddable,
  embedded,
  entityOf,
  foreignColumnsOf,
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
  expect(tableOf('sales_OrderLine')).toEqual({ schema: 'sales', name: 'order_line' });
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
