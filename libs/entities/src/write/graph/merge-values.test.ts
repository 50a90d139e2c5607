import {
  boolean,
  buildModel,
  compositionOfMany,
  decimal,
  elements,
  embeddable,
  embedded,
  entityOf,
  enumeration,
  enumOf,
  integer,
  localDate,
  manyToMany,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { writeModelOf } from '../model/write-model.ts';
import type { SentValue } from '../parse/instance-input.ts';
import type { Value, Values } from '../values/value.ts';
import { changedPaths, initialValues, mergeValues } from './merge-values.ts';

const State = enumeration('t.State', { OPEN: 'o', DONE: 'd' });
const model = buildModel({
  enums: [State],
  entities: [
    embeddable('t_Address', { attributes: { city: string(50), zip: string(10).default('00000') } }),
    standardEntity('t_Tag', { attributes: {} }),
    standardEntity('t_Line', { attributes: { order: toOne('t_Order') } }),
    standardEntity('t_Note', { attributes: { order: toOne('t_Order') } }),
    softDeletedEntity('t_Order', {
      attributes: {
        number: string(20),
        count: integer().default(3),
        total: decimal(19, 2).default('1.50'),
        paid: boolean().default(false),
        due: localDate(),
        state: enumOf(State).default('OPEN'),
        address: embedded('t_Address'),
        parent: toOne('t_Order'),
        labels: elements(),
        tags: manyToMany('t_Tag'),
        lines: compositionOfMany('t_Line', 'order'),
        notes: toMany('t_Note', 'order'),
      },
    }),
  ],
});
const layout = writeModelOf(model).of(entityOf(model, 't_Order'));
const NEW = initialValues(layout, canonicalKey(['o1']));

const sent = (values: Readonly<Record<string, SentValue['value']>>): ReadonlyMap<string, SentValue> =>
  new Map(Object.entries(values).map(([path, value]) => [path, { value, sent: null }]));
const refuse = (path: string): never => {
  throw new Error(`missing ${path}`);
};
const merge = (base: Values, values: Readonly<Record<string, SentValue['value']>>, isNew = false) =>
  mergeValues(layout, base, sent(values), isNew, refuse);
const changes = (before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>) =>
  changedPaths(layout, new Map(Object.entries(before)), new Map(Object.entries(after)));

describe('a new instance', () => {
  test('has its key, the defaults of its attributes, empty collections, and null for the rest', () => {
    expect(Object.fromEntries(NEW)).toEqual({
      id: 'o1',
      version: null,
      createdDate: null,
      createdBy: null,
      lastModifiedDate: null,
      lastModifiedBy: null,
      deletedDate: null,
      deletedBy: null,
      number: null,
      count: 3,
      total: '1.50',
      paid: false,
      due: null,
      state: 'OPEN',
      'address.city': null,
      'address.zip': '00000',
      parent: null,
      labels: [],
      tags: [],
    });
  });

  test('has a default only where nothing was sent, null included', () => {
    const values = merge(NEW, { count: 7, total: null }, true);
    expect([values.get('count'), values.get('total'), values.get('paid')]).toEqual([7, null, false]);
  });
});

describe('sent values', () => {
  test('replace the stored ones, and what was not sent stays', () => {
    const stored = new Map<string, Value>([
      ...NEW,
      ['number', 'A'],
      ['count', 1],
      ['parent', { key: canonicalKey(['o0']) }],
    ]);
    const values = merge(stored, { number: 'B', parent: null });
    expect([...values].filter(([path, value]) => stored.get(path) !== value)).toEqual([
      ['number', 'B'],
      ['parent', null],
    ]);
  });

  test('never change what they are merged into', () => {
    const stored = new Map<string, Value>([['number', 'A']]);
    merge(stored, { number: 'B' });
    expect(stored).toEqual(new Map([['number', 'A']]));
  });

  test.each<[string, boolean, string]>([
    ['version', false, 'stored'],
    ['version', true, 'stored'],
    ['lastModifiedDate', false, 'stored'],
    ['lastModifiedBy', false, 'stored'],
    ['deletedDate', false, 'stored'],
    ['deletedBy', false, 'stored'],
    ['createdDate', true, 'stored'],
    ['createdBy', true, 'stored'],
    ['createdDate', false, 'sent'],
    ['createdBy', false, 'sent'],
  ])('of %s, new instance: %s, are kept only where the client may set them', (path, isNew, expected) => {
    expect(merge(new Map([[path, 'stored']]), { [path]: 'sent' }, isNew).get(path)).toBe(expected);
  });

  test('of collections whose reference is in the row of the member are no values of the instance', () => {
    expect(merge(NEW, { lines: [{ key: canonicalKey(['l1']) }], notes: [{ key: canonicalKey(['n1']) }] })).toEqual(NEW);
  });

  test('with a reference that has no id are refused by its path', () => {
    expect(() => merge(NEW, { parent: 'missing' })).toThrow('missing parent');
    expect(() => merge(NEW, { notes: 'missing' })).toThrow('missing notes');
  });
});

describe('changed paths', () => {
  test('of a new instance are those with a value, and no association without members', () => {
    const after = merge(NEW, { number: 'A' }, true);
    expect(changedPaths(layout, undefined, after)).toEqual([
      'id',
      'number',
      'count',
      'total',
      'paid',
      'state',
      'address.zip',
      'labels',
    ]);
  });

  test.each<[string, Readonly<Record<string, Value>>, Readonly<Record<string, Value>>, readonly string[]]>([
    ['equal values', { number: 'A', count: 1 }, { number: 'A', count: 1 }, []],
    ['decimals of one number', { total: '1.5' }, { total: '1.50' }, []],
    ['texts that are one number', { number: '1.5' }, { number: '1.50' }, ['number']],
    ['null and a value', { number: null }, { number: 'A' }, ['number']],
    ['a value and null', { number: 'A' }, { number: null }, ['number']],
    ['a value that was not loaded and null', {}, { number: null }, []],
    [
      'references to one instance',
      { parent: { key: canonicalKey(['o0']) } },
      { parent: { key: canonicalKey(['o0']) } },
      [],
    ],
    [
      'references to two instances',
      { parent: { key: canonicalKey(['o0']) } },
      { parent: { key: canonicalKey(['o2']) } },
      ['parent'],
    ],
    ['elements in another order', { labels: ['a', 'b'] }, { labels: ['b', 'a'] }, ['labels']],
    ['equal elements', { labels: ['a', 'b'] }, { labels: ['a', 'b'] }, []],
    [
      'links in another order',
      { tags: [{ key: canonicalKey(['a']) }, { key: canonicalKey(['b']) }] },
      { tags: [{ key: canonicalKey(['b']) }, { key: canonicalKey(['a']) }] },
      [],
    ],
    ['links to others', { tags: [{ key: canonicalKey(['a']) }] }, { tags: [{ key: canonicalKey(['b']) }] }, ['tags']],
    ['a part of an embedded object', { 'address.city': 'B' }, { 'address.city': 'C' }, ['address.city']],
  ])('of %s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  test('are found anew when the same values are compared with others', () => {
    const after = new Map<string, Value>([['count', 1]]);
    expect(changedPaths(layout, new Map([['count', 1]]), after)).toEqual([]);
    expect(changedPaths(layout, new Map([['count', 2]]), after)).toEqual(['count']);
  });
});
