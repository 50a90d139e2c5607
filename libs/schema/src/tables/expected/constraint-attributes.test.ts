import { buildModel, softDeletedEntity, standardEntity, string, toOne } from '@lintel/metadata';
import { constraintLookup } from './constraint-attributes.ts';

const model = buildModel({
  entities: [
    softDeletedEntity('shop_Item', { attributes: { sku: string(10).unique(), tag: toOne('shop_Tag') } }),
    standardEntity('shop_Tag', {
      attributes: { a: string(10), b: string(10) },
      indexes: [{ attributes: ['a', 'b'], unique: true }],
    }),
  ],
});
const lookup = constraintLookup(model, { query: () => Promise.reject(new Error('not needed')) });
const at = (table: string, constraint: string) =>
  lookup({ sqlState: undefined, schema: 'shop', table, column: undefined, constraint });

test('a constraint of the model leads to the entity and its attributes, without a query', async () => {
  expect(await at('item', 'uq_item__sku__live')).toEqual({ entity: 'shop_Item', attributes: ['sku'] });
  expect(await at('item', 'fk_item__tag_id')).toEqual({ entity: 'shop_Item', attributes: ['tag'] });
  expect(await at('tag', 'uq_tag__a__b')).toEqual({ entity: 'shop_Tag', attributes: ['a', 'b'] });
  expect(await at('tag', 'pk_tag')).toEqual({ entity: 'shop_Tag', attributes: ['id'], isKey: true });
});
