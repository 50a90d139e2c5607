import {
  type AttributeBuilder,
  buildModel,
  type EntityOptions,
  type Inheritance,
  integer,
  keyedEntity,
  type Model,
  string,
} from '../../index.ts';

type Options = Partial<EntityOptions<Record<string, never>>>;

const table = { schema: 'public', name: 'animals' };

/** Animal, and Dog and Cat, which extend it. */
const modelOf = (animal: Options, dog: Options = {}, cat: Options = {}): Model =>
  buildModel({
    entities: [
      keyedEntity('t_Animal', { key: 'id', table, ...animal, attributes: { id: integer(), name: string(20) } }),
      keyedEntity('t_Dog', { key: 'id', extends: 't_Animal', ...dog, attributes: { size: integer() } }),
      keyedEntity('t_Cat', {
        key: 'id',
        extends: 't_Animal',
        ...cat,
        attributes: { lives: integer().column('lives') },
      }),
    ],
  });

const dtype: Inheritance = { discriminator: 'dtype' };

test.each<[what: string, animal: Options, dog: Options, cat: Options, sentence: string]>([
  [
    'a missing value',
    { abstract: true, inheritance: dtype },
    { discriminatorValue: 'D' },
    {},
    't_Cat has no discriminatorValue: name what dtype contains',
  ],
  [
    'a root without a value',
    { inheritance: dtype },
    { discriminatorValue: 'D' },
    { discriminatorValue: 'C' },
    't_Animal has no discriminatorValue',
  ],
  [
    'one value twice',
    { abstract: true, inheritance: dtype },
    { discriminatorValue: 'D' },
    { discriminatorValue: 'D' },
    't_Dog and t_Cat have one discriminatorValue: "D"',
  ],
  [
    'texts and numbers',
    { abstract: true, inheritance: dtype },
    { discriminatorValue: 'D' },
    { discriminatorValue: 1 },
    't_Cat has a discriminatorValue of another kind',
  ],
  [
    'a text in a column of numbers',
    { abstract: true, inheritance: { ...dtype, storedAs: 'smallint' } },
    { discriminatorValue: 'D' },
    { discriminatorValue: 'C' },
    't_Dog has the discriminatorValue "D", which is no smallint',
  ],
  [
    'a fraction',
    { abstract: true, inheritance: dtype },
    { discriminatorValue: 1 },
    { discriminatorValue: 1.5 },
    'which is no whole number',
  ],
  [
    'a value of an abstract entity',
    { abstract: true, inheritance: dtype, discriminatorValue: 'A' },
    { discriminatorValue: 'D' },
    { discriminatorValue: 'C' },
    't_Animal is abstract',
  ],
  [
    'a value without a column',
    {},
    { discriminatorValue: 'D' },
    {},
    't_Dog has a discriminatorValue: name its column at t_Animal',
  ],
  [
    'inheritance below the root',
    {},
    { inheritance: dtype },
    {},
    't_Dog extends another entity: state its inheritance at t_Animal',
  ],
  [
    'a table of its own in a single one',
    { inheritance: { strategy: 'single-table' } },
    { table: { schema: 'public', name: 'dogs' } },
    {},
    't_Dog is stored in the table of t_Animal',
  ],
  ['key columns without a table', { keyColumns: ['a'] }, {}, {}, 't_Animal has keyColumns, but extends no entity'],
  ['too many key columns', {}, { keyColumns: ['a', 'b'] }, {}, 't_Dog names 2 keyColumns, and its key has 1'],
  [
    'the discriminator as an attribute',
    { abstract: true, inheritance: { strategy: 'single-table', discriminator: 'lives' } },
    { discriminatorValue: 'D' },
    { discriminatorValue: 'C' },
    't_Cat.lives has the column of the discriminator',
  ],
  [
    'the discriminator as an attribute whose column is derived from its name',
    { abstract: true, inheritance: { discriminator: 'name' } },
    { discriminatorValue: 'D' },
    { discriminatorValue: 'C' },
    't_Animal.name has the column of the discriminator',
  ],
])('%s is a contradiction', (_what, animal, dog, cat, sentence) => {
  expect(() => modelOf(animal, dog, cat)).toThrow(sentence);
});

test('inheritance without descendants is a contradiction', () => {
  const attributes = { id: integer() };
  const lonely = keyedEntity('t_Animal', { key: 'id', table, inheritance: dtype, attributes });
  expect(() => buildModel({ entities: [lonely] })).toThrow('t_Animal has inheritance, but no entity extends it');
});

test('entities of one table share a column if its type is one, and no row has both attributes', () => {
  const tree = (size: AttributeBuilder<unknown>, lives: AttributeBuilder<unknown>) =>
    buildModel({
      entities: [
        keyedEntity('t_Animal', {
          key: 'id',
          abstract: true,
          inheritance: { strategy: 'single-table' },
          attributes: { id: integer(), name: string(20) },
        }),
        keyedEntity('t_Dog', { key: 'id', extends: 't_Animal', attributes: { size } }),
        keyedEntity('t_Cat', { key: 'id', extends: 't_Animal', attributes: { lives } }),
      ],
    });
  expect(() => tree(integer().column('count'), integer().column('count'))).not.toThrow();
  expect(() => tree(integer().column('count'), string(5).column('count'))).toThrow(
    't_Dog.size and t_Cat.lives are stored in one column, count, with the types integer and varchar(5)',
  );
  expect(() => tree(string(20).column('name'), integer())).toThrow(
    't_Animal.name and t_Dog.size are both stored in the column name',
  );
});

test('the table of a descendant may have a column with the name of the discriminator', () => {
  const model = modelOf(
    { abstract: true, inheritance: { discriminator: 'lives' } },
    { discriminatorValue: 'D', table: { schema: 'public', name: 'dogs' } },
    { discriminatorValue: 'C', table: { schema: 'public', name: 'cats' } },
  );
  expect(model.entities.get('t_Cat')?.discriminatorValue).toBe('C');
});
