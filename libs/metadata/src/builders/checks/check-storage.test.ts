import {
  type AttributeBuilder,
  arrayOf,
  buildModel,
  elements,
  enumeration,
  enumOf,
  integer,
  json,
  localDate,
  manyToMany,
  offsetDateTime,
  standardEntity,
  string,
  type TableLocation,
  textForm,
  toMany,
  toOne,
} from '../../index.ts';

const MOOD = enumeration('t.Mood', { GOOD: 'good' });

const modelOf = (attribute: AttributeBuilder<unknown>, table?: TableLocation) =>
  buildModel({
    enums: [MOOD],
    entities: [
      standardEntity('t_One', {
        attributes: { it: attribute, other: toOne('t_One') },
        ...(table === undefined ? {} : { table }),
      }),
    ],
  });

test.each([
  ['two columns for one value', integer().column('a', 'b'), 't_One.it names 2 columns, and has 1 of its own'],
  ['two columns for a key of one', toOne('t_One').column('a', 'b'), 't_One.it names 2 columns, and has 1'],
  ['a column for what has none', toMany('t_One', 'other').column('a'), 't_One.it names 1 columns, and has 0'],
  ['microseconds of a number', integer().microseconds(), 't_One.it has microseconds, which only stored date-times'],
  [
    'microseconds of what is not stored',
    offsetDateTime().microseconds().transient(),
    't_One.it has microseconds, which',
  ],
  ['microseconds of an enum', enumOf(MOOD).microseconds(), 't_One.it has microseconds, which only stored date-times'],
  ['microseconds of elements', elements(integer().microseconds()), 't_One.it has microseconds, which only stored'],
  ['a type without such values', integer().storedAs('text'), 't_One.it cannot be stored as text'],
  ['a column of numbers for an enum', enumOf(MOOD).storedAs('bigint'), 't_One.it cannot be stored as bigint'],
  ['an array of any JSON', arrayOf(json()), 't_One.it is a collection of what is no single value'],
  ['an array of references', arrayOf(toOne('t_One')), 't_One.it is a collection of what is no single value'],
  ['a collection of any JSON', elements(json()), 't_One.it is a collection of what is no single value'],
  ['a collection of text forms', elements(textForm('inet')), 't_One.it is a collection of what is no single'],
  ['an array with another type', arrayOf(integer().storedAs('text')), 't_One.it cannot be stored as text[]'],
  ['a computed column of an own table', integer().generated(), 't_One.it is given by the database: only tables that'],
  ['a computed collection', toMany('t_One', 'other').generated(), 't_One.it is no stored single value'],
  ['a text form of no type', textForm('interval; drop'), 't_One.it is the text form of "interval; drop"'],
  ['a text form of an array', textForm('inet[]'), 't_One.it is the text form of "inet[]"'],
  [
    'a domain in an own table',
    integer().storedAs('public.positive'),
    't_One.it is stored as public.positive, of which',
  ],
  [
    'a link table of a reference to one',
    toOne('t_One').linkedBy({ schema: 's', name: 'l', columns: ['a'], targetColumns: ['b'] }),
    't_One.it has a link table, and is not the owning end of a M:N association',
  ],
])('%s is a contradiction', (_what, attribute, sentence) => {
  expect(() => modelOf(attribute)).toThrow(sentence);
});

test.each([
  ['a text of fixed length', string(2).storedAs('character(2)')],
  ['an array', arrayOf(string(5).storedAs('character varying(5)')).column('other_name')],
  ['an array of text forms', arrayOf(textForm('bit(3)'))],
  ['a text form with limits', textForm('bit varying(5)')],
  ['a text form of an array of two dimensions', textForm('integer[][]')],
  ['a moment in microseconds', offsetDateTime().storedAs('timestamp with time zone')],
  ['a link table', manyToMany('t_One').linkedBy({ schema: 's', name: 'l', columns: ['a'], targetColumns: ['b'] })],
])('%s is none', (_what, attribute) => {
  expect(() => modelOf(attribute)).not.toThrow();
});

test.each([
  ['a text form of a type of the user', textForm('public."Span"', 'interval')],
  ['a domain', integer().storedAs('public.positive')],
  ['an enum of PostgreSQL', enumOf(MOOD).storedAs('public."My Mood"')],
  ['a computed column', integer().generated()],
])('%s is possible in tables that were there before', (_what, attribute) => {
  expect(() => modelOf(attribute, { schema: 'public', name: 'ones' })).not.toThrow();
  expect(() => modelOf(attribute, { schema: 'public', name: 'ones', owned: true })).not.toThrow();
  expect(() => modelOf(attribute)).toThrow('tables that were there before');
});

test('a name with a quote is possible in tables of another owner alone', () => {
  const attribute = integer().column('the "one"');
  expect(() => modelOf(attribute, { schema: 'public', name: 'ones' })).not.toThrow();
  expect(() => modelOf(attribute, { schema: 'public', name: 'ones', owned: true })).toThrow('tables of another owner');
});

test('unbounded values are possible for dates of tables that were there before alone', () => {
  const problem = 't_One.it is unbounded, which only dates and date-times of tables that were there before are';
  expect(() => modelOf(localDate().unbounded(), { schema: 'public', name: 'ones' })).not.toThrow();
  expect(() => modelOf(localDate().unbounded())).toThrow(problem);
  for (const other of [integer(), enumOf(MOOD), toOne('t_One')])
    expect(() => modelOf(other.unbounded(), { schema: 'public', name: 'ones' })).toThrow(problem);
});

test('a former name is refused where migrations make no table or no column', () => {
  const table = { schema: 'public', name: 'one' };
  const one = (options: object) =>
    buildModel({ entities: [standardEntity('t_One', { attributes: { it: integer() }, ...options })] });
  expect(() => one({ table, renamedFrom: 't_Old' })).toThrow(
    't_One cannot be renamed from t_Old: migrations make no table of it',
  );
  expect(() => one({ table: { ...table, owned: true }, renamedFrom: 't_Old' })).not.toThrow();
  const below = (owned: boolean) => {
    const root = { table: { ...table, owned }, inheritance: { discriminator: 'kind' }, discriminatorValue: 'R' };
    const one = { extends: 't_Root', discriminatorValue: 'O', renamedFrom: 't_Old' };
    return buildModel({
      entities: [
        standardEntity('t_Root', { ...root, attributes: { name: string(20) } }),
        standardEntity('t_One', { ...one, attributes: { it: integer() } }),
      ],
    });
  };
  expect(() => below(false)).toThrow('t_One cannot be renamed from t_Old: migrations make no table of it');
  expect(() => below(true)).not.toThrow();
  expect(() => modelOf(toMany('t_One', 'other').renamedFrom('old'))).toThrow(
    't_One.it cannot be renamed from old: it has no column and no table of its own',
  );
  expect(() => modelOf(manyToMany('t_One').renamedFrom('old'))).not.toThrow();
});
