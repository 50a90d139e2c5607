import {
  buildModel,
  compositionOfOne,
  type EntityDefinition,
  elements,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDate,
  long,
  manyToMany,
  manyToManyInverse,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { describeTables } from './describe-tables.ts';
import type { TableDescription } from './table-description.ts';

const tablesOf = (...entities: EntityDefinition[]): ReadonlyMap<string, TableDescription> =>
  new Map(describeTables(buildModel({ entities })).map((table) => [`${table.schema}.${table.name}`, table]));

const names = (columns: readonly { readonly name: string }[] | undefined) => columns?.map(({ name }) => name);

const Address = embeddable('shop_Address', { attributes: { city: string(10), zip: string(5) } });

test('an entity has one table with its key first, embedded attributes flattened and transient ones left out', () => {
  const tables = tablesOf(
    Address,
    keyedEntity('shop_Store', {
      key: 'code',
      attributes: { name: string(10), address: embedded('shop_Address'), note: string().transient(), code: string(3) },
    }),
  );
  expect([...tables.keys()]).toEqual(['shop.store']);
  const store = tables.get('shop.store');
  expect(names(store?.columns)).toEqual(['code', 'name', 'address_city', 'address_zip']);
  expect(store?.primaryKey).toEqual({
    name: 'pk_store',
    columns: ['code'],
    origin: { entity: 'shop_Store', attributes: ['code'] },
  });
});

test('unique attributes of a soft-deleted entity are unique among the rows that are left', () => {
  const tables = tablesOf(
    softDeletedEntity('shop_Item', { attributes: { sku: string(10).unique() } }),
    standardEntity('shop_Tag', { attributes: { name: string(10).unique() } }),
  );
  expect(tables.get('shop.item')?.indexes).toEqual([
    {
      name: 'uq_item__sku__live',
      columns: ['sku'],
      unique: true,
      search: false,
      where: '"deleted_date" IS NULL',
      origin: { entity: 'shop_Item', attributes: ['sku'] },
    },
  ]);
  expect(tables.get('shop.tag')?.indexes).toMatchObject([{ name: 'uq_tag__name', where: undefined }]);
});

test('every foreign key has an index unless one begins with its columns', () => {
  const tables = tablesOf(
    standardEntity('shop_Owner', { attributes: { items: toMany('shop_Thing', 'owner') } }),
    standardEntity('shop_Thing', {
      attributes: { owner: toOne('shop_Owner').mandatory(), keeper: toOne('shop_Owner'), rank: integer() },
      indexes: [{ attributes: ['owner', 'rank'], unique: false }],
    }),
  );
  const thing = tables.get('shop.thing');
  expect(thing?.foreignKeys).toMatchObject([
    {
      name: 'fk_thing__owner_id',
      target: { schema: 'shop', name: 'owner' },
      targetColumns: ['id'],
      onDelete: 'NO ACTION',
    },
    { name: 'fk_thing__keeper_id' },
  ]);
  expect(thing?.indexes.map(({ name }) => name)).toEqual(['ix_thing__owner_id__rank', 'ix_thing__keeper_id']);
  expect(tables.get('shop.owner')?.indexes).toEqual([]);
});

test('a one-to-one reference is unique', () => {
  const tables = tablesOf(
    standardEntity('shop_Delivery', { attributes: { carrier: string(10) } }),
    standardEntity('shop_Order', { attributes: { delivery: compositionOfOne('shop_Delivery') } }),
  );
  expect(tables.get('shop.order')?.indexes).toMatchObject([{ name: 'uq_order__delivery_id', unique: true }]);
});

test('a tree of descendants has an index with the key in the table of the descendant', () => {
  const tables = tablesOf(
    standardEntity('shop_Party', { attributes: { name: string(10) } }),
    standardEntity('shop_Firm', { extends: 'shop_Party', attributes: { parent: toOne('shop_Firm').tree() } }),
  );
  expect(tables.get('shop.firm')?.indexes).toMatchObject([{ name: 'ix_firm__parent_id__id' }]);
});

test('a unique reference has a unique index of the rows that are left, and its other end has nothing', () => {
  const tables = tablesOf(
    standardEntity('shop_Person', {
      attributes: { passport: toOneInverse('shop_Passport', 'person'), badge: toOneInverse('shop_Badge', 'person') },
    }),
    standardEntity('shop_Passport', { attributes: { person: toOne('shop_Person').unique() } }),
    softDeletedEntity('shop_Badge', { attributes: { person: toOne('shop_Person').mandatory().unique() } }),
  );
  expect(tables.get('shop.passport')?.indexes).toMatchObject([
    { name: 'uq_passport__person_id', unique: true, where: undefined, origin: { attributes: ['person'] } },
  ]);
  // References of deleted rows are looked up when the target is removed.
  expect(tables.get('shop.badge')?.indexes).toMatchObject([
    { name: 'uq_badge__person_id__live', unique: true, where: '"deleted_date" IS NULL' },
    { name: 'ix_badge__person_id', unique: false },
  ]);
  expect(names(tables.get('shop.person')?.columns)).not.toContain('passport_id');
  expect(tables.get('shop.person')?.indexes).toEqual([]);
});

test('a composite key, and references to it, take one column per part', () => {
  const tables = tablesOf(
    embeddable('shop_RateKey', { attributes: { currency: string(3).mandatory(), day: localDate().mandatory() } }),
    keyedEntity('shop_Rate', { key: 'id', attributes: { id: embedded('shop_RateKey'), rate: integer() } }),
    standardEntity('shop_Use', { attributes: { rate: toOne('shop_Rate') } }),
  );
  const rate = tables.get('shop.rate');
  expect(rate?.primaryKey?.columns).toHaveLength(2);
  expect(rate?.columns.filter((column) => !column.nullable).map(({ name }) => name)).toEqual(rate?.primaryKey?.columns);
  const use = tables.get('shop.use');
  expect(use?.foreignKeys).toMatchObject([{ targetColumns: rate?.primaryKey?.columns }]);
  expect(use?.indexes[0]?.columns).toEqual(use?.foreignKeys[0]?.columns);
});

test('the database numbers the rows of an identity key', () => {
  const tables = tablesOf(keyedEntity('shop_Log', { key: 'id', generation: 'identity', attributes: { id: long() } }));
  expect(tables.get('shop.log')?.columns).toEqual([{ name: 'id', type: 'bigint', nullable: false, identity: true }]);
});

test('links and elements have tables whose rows go with their owner', () => {
  const tables = tablesOf(
    standardEntity('shop_Item', { attributes: { tags: manyToMany('shop_Tag'), words: elements(20) } }),
    standardEntity('shop_Tag', { attributes: { items: manyToManyInverse('shop_Item', 'tags') } }),
  );
  expect([...tables.keys()]).toEqual(['shop.item', 'shop.item_tags_link', 'shop.item_words', 'shop.tag']);
  const link = tables.get('shop.item_tags_link');
  expect(link?.primaryKey?.columns).toEqual(['item_id', 'tag_id']);
  expect(link?.foreignKeys.map(({ onDelete }) => onDelete)).toEqual(['CASCADE', 'NO ACTION']);
  expect(link?.indexes.map(({ columns }) => columns)).toEqual([['tag_id']]);
  const words = tables.get('shop.item_words');
  expect(words?.primaryKey?.columns).toEqual(['item_id', 'position']);
  expect(words?.foreignKeys).toMatchObject([
    { onDelete: 'CASCADE', origin: { entity: 'shop_Item', attributes: ['words'] } },
  ]);
});

test('a descendant shares the key of its ancestor, which names the concrete entity', () => {
  const tables = tablesOf(
    softDeletedEntity('shop_Party', { abstract: true, attributes: { name: string(10) } }),
    softDeletedEntity('shop_Company', { extends: 'shop_Party', attributes: { vat: string(10).unique() } }),
  );
  expect(names(tables.get('shop.party')?.columns)?.slice(0, 2)).toEqual(['id', 'entity_name']);
  const company = tables.get('shop.company');
  expect(names(company?.columns)).toEqual(['id', 'vat']);
  expect(company?.foreignKeys).toMatchObject([{ target: { name: 'party' }, columns: ['id'], onDelete: 'CASCADE' }]);
  // The mark of deletion is in the ancestor's table, so the index cannot look at it.
  expect(company?.indexes).toMatchObject([{ name: 'uq_company__vat', where: undefined }]);
});

test('a search index is of one text and no substitute for the index of a foreign key', () => {
  const indexed = (attribute: string) => () =>
    tablesOf(
      keyedEntity('shop_Store', { key: 'code', attributes: { code: string(3) } }),
      standardEntity('shop_Item', {
        attributes: { count: integer(), store: toOne('shop_Store') },
        indexes: [{ attributes: [attribute], unique: false, search: true }],
      }),
    ).get('shop.item')?.indexes;
  expect(indexed('store')()?.map(({ name, search }) => [name, search])).toEqual([
    ['ix_item__store_code__search', true],
    ['ix_item__store_code', false],
  ]);
  expect(indexed('count')).toThrow('names count, which is no text');
});

test('a column that several attributes have is in the table once', () => {
  const tables = tablesOf(
    keyedEntity('shop_Order', { key: 'id', attributes: { id: long(), lines: toMany('shop_Line', 'order') } }),
    embeddable('shop_LineKey', { attributes: { order: long().mandatory().column('order_id'), position: integer() } }),
    keyedEntity('shop_Line', {
      key: 'id',
      attributes: {
        id: embedded('shop_LineKey').columnPrefix(''),
        order: toOne('shop_Order').mandatory().column('order_id'),
        twin: toOne('shop_Line').unique().column('order_id', 'position'),
        tenant: integer(),
        first: toOne('shop_Line').column('tenant', 'first_position'),
        second: toOne('shop_Line').mandatory().column('tenant', 'second_position'),
      },
      indexes: [{ attributes: ['tenant', 'first'], unique: false }],
    }),
  );
  const line = tables.get('shop.line');
  expect(line?.columns.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
    ['order_id', 'bigint', false],
    ['position', 'integer', false],
    ['tenant', 'integer', false],
    ['first_position', 'integer', true],
    ['second_position', 'integer', false],
  ]);
  expect(line?.foreignKeys.map(({ columns }) => columns)).toEqual([
    ['order_id'],
    ['order_id', 'position'],
    ['tenant', 'first_position'],
    ['tenant', 'second_position'],
  ]);
  expect(line?.indexes.map(({ columns, unique }) => [columns, unique])).toEqual([
    [['tenant', 'first_position'], false],
    [['tenant', 'second_position'], false],
  ]);
});
