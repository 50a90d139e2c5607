import { distinctNames, identifierOf } from './distinct-names.ts';

test('names that differ only in case and separators are one identifier', () => {
  expect(['_entityName', 'entityName', 'entity_name', 'Entity-Name'].map(identifierOf)).toEqual(
    Array(4).fill('entityname'),
  );
  expect(identifierOf('größe_2')).toBe('größe2');
});

test('later names change until they are distinct, and earlier ones stay', () => {
  const names = ['entity_a_Box', 'entity_aBox', 'entity_a_Box_2', 'Other', 'entity_A_box'];
  expect([...distinctNames(names)]).toEqual([
    ['entity_a_Box', 'entity_a_Box'],
    ['entity_aBox', 'entity_aBox_2'],
    ['entity_a_Box_2', 'entity_a_Box_2_2'],
    ['Other', 'Other'],
    ['entity_A_box', 'entity_A_box_3'],
  ]);
});
