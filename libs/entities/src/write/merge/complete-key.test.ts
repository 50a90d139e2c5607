import {
  buildModel,
  embeddable,
  embedded,
  entityOf,
  integer,
  keyedEntity,
  long,
  string,
  toOne,
} from '@lintel/metadata';
import { canonicalKey, type Scalar } from '@lintel/query';
import { writeModelOf } from '../model/write-model.ts';
import type { InstanceInput, SentValue } from '../parse/instance-input.ts';
import { completeKey } from './complete-key.ts';

const model = buildModel({
  entities: [
    keyedEntity('t_Firm', { key: 'id', attributes: { id: long() } }),
    embeddable('t_DeskKey', { attributes: { firmId: integer().mandatory(), number: integer().mandatory() } }),
    keyedEntity('t_Desk', {
      key: 'id',
      attributes: {
        id: embedded('t_DeskKey').columnPrefix(''),
        firm: toOne('t_Firm').column('firm_id'),
        name: string(10),
      },
    }),
    embeddable('t_SeatKey', {
      attributes: { firmId: integer().mandatory(), number: integer().mandatory(), side: string(1).mandatory() },
    }),
    keyedEntity('t_Seat', {
      key: 'id',
      attributes: {
        id: embedded('t_SeatKey').columnPrefix(''),
        desk: toOne('t_Desk').column('firm_id', 'number'),
        firm: toOne('t_Firm').column('firm_id'),
      },
    }),
  ],
});

type Sent = Readonly<Record<string, SentValue['value']>>;
const input = (entity: string, sent: Sent, keyParts?: readonly Scalar[]): InstanceInput => ({
  ...{ entity: entityOf(model, entity), path: '', key: undefined, version: undefined, dynamic: [] },
  ...{ children: new Map(), unstored: new Map(), ...(keyParts === undefined ? {} : { keyParts }) },
  values: new Map(Object.entries(sent).map(([path, value]) => [path, { value, sent: null }])),
});
const complete = (given: InstanceInput, parent?: Parameters<typeof completeKey>[2]) =>
  completeKey(writeModelOf(model).of(given.entity), given, parent);
const reference = (...key: readonly Scalar[]) => ({ key: canonicalKey(key) });

test.each<[string, string, Sent, readonly Scalar[], object]>([
  ['a reference has the missing part, in its type', 't_Desk', { firm: reference('5') }, [null, 2], { key: [5, 2] }],
  ['a part that was sent stays', 't_Desk', { firm: reference('5') }, [6, 2], { key: [6, 2] }],
  ['another part is missing', 't_Desk', { firm: reference('5') }, [null, null], { keyParts: [5, null] }],
  ['a reference has several parts', 't_Seat', { desk: reference(5, 7) }, [null, null, 'l'], { key: [5, 7, 'l'] }],
  [
    'two references have parts',
    't_Seat',
    { desk: reference(5, 7), firm: reference('6') },
    [null, null, 'l'],
    { key: [5, 7, 'l'] },
  ],
  ['a reference has one of several parts', 't_Seat', { firm: reference('6') }, [null, 7, 'l'], { key: [6, 7, 'l'] }],
  ['a reference has no id', 't_Desk', { firm: 'missing' }, [null, 2], { keyParts: [null, 2] }],
  ['a reference is null', 't_Desk', { firm: null }, [null, 2], { keyParts: [null, 2] }],
  ['no reference was sent', 't_Desk', { name: 'x' }, [null, 2], { keyParts: [null, 2] }],
])('an incomplete key where %s', (_case, entity, sent, parts, expected) => {
  const { key, keyParts } = complete(input(entity, sent, parts));
  if ('key' in expected) expect(key).toEqual(expected.key);
  else expect({ key, keyParts }).toEqual({ key: undefined, ...expected });
});

test('the key of the parent counts, and not a reference to it that was sent', () => {
  const parent = { path: 'firm', key: canonicalKey(['9']) };
  expect(complete(input('t_Desk', {}, [null, 2]), parent).key).toEqual([9, 2]);
  expect(complete(input('t_Desk', { firm: reference('5') }, [null, 2]), parent).key).toEqual([9, 2]);
  expect(complete(input('t_Seat', { desk: reference(5, 7) }, [null, null, 'l']), parent).key).toEqual([5, 7, 'l']);
});

test('a complete key, and one without parts, is as it was sent', () => {
  const whole = { ...input('t_Desk', { firm: reference('5') }, [null, 2]), key: canonicalKey([1, 2]) };
  const without = input('t_Desk', { firm: reference('5') });
  expect(complete(whole)).toBe(whole);
  expect(complete(without)).toBe(without);
});

test('the input is not changed', () => {
  const given = input('t_Desk', { firm: reference('5') }, [null, 2]);
  complete(given);
  expect(given.keyParts).toEqual([null, 2]);
});
