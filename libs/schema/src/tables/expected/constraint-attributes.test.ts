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
const lookup = constraintLookup(model);
const at = (table: string, constraint: string) =>
  lookup({ sqlState: undefined, schema: 'shop', table, column: undefined, constraint });

test('a constraint leads to the entity and its attributes', () => {
  expect(at('item', 'uq_item__sku__live')).toEqual({ entity: 'shop_Item', attributes: ['sku'] });
  expect(at('item', 'fk_item__tag_id')).toEqual({ entity: 'shop_Item', attributes: ['tag'] });
  expect(at('tag', 'uq_tag__a__b')).toEqual({ entity: 'shop_Tag', attributes: ['a', 'b'] });
  expect(at('tag', 'pk_tag')).toEqual({ entity: 'shop_Tag', attributes: ['id'] });
});

test('a constraint that the model does not know is not found', () => {
  expect(at('item', 'ck_by_hand')).toBeUndefined();
});
