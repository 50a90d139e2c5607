import {
  draftModel,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  searchWords,
  standardEntity,
  string,
  text,
  toMany,
  toOne,
} from '../../index.ts';

const problemsOf = (...entities: Parameters<typeof draftModel>[0]['entities']) => draftModel({ entities }).problems;

test('texts of an entity are searchable, with defaults for all options', () => {
  const { model, problems } = draftModel({
    entities: [standardEntity('t_Note', { attributes: { text: text().searchable(), code: string(9).searchable() } })],
  });
  expect(problems).toEqual([]);
  expect(model.entities.get('t_Note')?.attributes.get('text')).toMatchObject({
    search: { weight: 'D', language: 'simple', prefix: false, typos: false },
  });
});

test('one index has the words of all attributes, and one for each attribute the trigrams', () => {
  const { model } = draftModel({
    entities: [
      standardEntity('t_Note', {
        attributes: { title: text().searchable({ weight: 'A', typos: true }), text: text().searchable() },
      }),
    ],
  });
  expect(model.entities.get('t_Note')?.indexes).toMatchObject([
    { attributes: ['title', 'text'], method: 'gin', expression: expect.stringContaining("'A'") },
    { attributes: ['title'], method: 'gin', operatorClass: 'gin_trgm_ops' },
  ]);
});

test.each([
  ['a number', integer().searchable(), 'it is no stored text'],
  ['a secret', string(9).secret().searchable(), 'it is no stored text'],
  ['a text that is not stored', string(9).transient().searchable(), 'it is no stored text'],
  ['an unknown language', string(9).searchable({ language: 'klingon' as never }), 'is searched as klingon: expected'],
  ['an unknown weight', string(9).searchable({ weight: 'E' as never }), 'has the weight E: expected A, B, C, D'],
])('%s is refused by its name', (_name, attribute, message) => {
  expect(problemsOf(standardEntity('t_Note', { attributes: { it: attribute } }))).toEqual([
    expect.stringMatching(new RegExp(`^t_Note\\.it .*${message}`)),
  ]);
});

test('references are searchable without options, if their targets have single keys and do not lead to them', () => {
  const pair = embeddable('t_Pair', { attributes: { one: string(9), two: string(9) } });
  const attributes = { id: embedded('t_Pair'), text: text().searchable() };
  const problems = problemsOf(
    standardEntity('t_Order', {
      attributes: { customer: toOne('t_Customer').searchable(), pair: toOne('t_Rate').searchable() },
    }),
    standardEntity('t_Customer', {
      attributes: {
        orders: toMany('t_Order', 'customer').searchable(),
        name: toOne('t_Name').searchable({ typos: true }),
      },
    }),
    standardEntity('t_Name', { attributes: { text: text().searchable(), other: toOne('t_Other').searchable() } }),
    standardEntity('t_Other', { attributes: { text: text() } }),
    pair,
    keyedEntity('t_Rate', { key: 'id', attributes }),
  );
  expect(problems).toEqual([
    't_Order.customer cannot be searchable: the search would lead to t_Customer again',
    't_Order.pair cannot be searchable: an instance of t_Order or t_Rate has no single key',
    't_Customer.orders cannot be searchable: the search would lead to t_Order again',
    't_Customer.name has options of a search, which the texts of t_Name have',
    't_Name.other cannot be searchable: t_Other has no searchable attributes',
  ]);
});

test('texts of embedded objects are refused', () => {
  expect(problemsOf(embeddable('t_Address', { attributes: { city: text().searchable() } }))).toEqual([
    expect.stringContaining('t_Address.city cannot be searchable'),
  ]);
});

test('attributes of one weight agree in prefix, and are in one table', () => {
  const attributes = { one: text().searchable({ prefix: true }), two: text().searchable() };
  expect(problemsOf(standardEntity('t_Note', { attributes }))).toEqual([
    'Searchable attributes of t_Note with the weight D differ in prefix',
  ]);
  const above = standardEntity('t_Above', { attributes: { one: text().searchable() } });
  const below = standardEntity('t_Below', { extends: 't_Above', attributes: { two: text().searchable() } });
  expect(problemsOf(above, below)).toEqual([
    't_Below has searchable attributes in several tables, which no index can have',
  ]);
});

test('words are compared without accents, punctuation and upper case', () => {
  expect(searchWords("  Müller-Straße, №7: 'Łódź' & Σοφός\u0000😀 日本 ")).toEqual([
    ...['muller', 'straße', 'no7', 'lodz', 'σοφοσ', '日本'],
  ]);
  expect(searchWords('&|!():*<->')).toEqual([]);
});
