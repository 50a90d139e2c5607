import { buildModel, embeddable, embedded, entityOf, integer, keyedEntity, long, toOne } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { buildLayout } from '../model/layout.ts';
import type { Value } from '../values/value.ts';
import { settleShared } from './settle-shared.ts';

const model = buildModel({
  entities: [
    embeddable('t_DeskKey', { attributes: { tenant: integer().mandatory(), number: integer().mandatory() } }),
    keyedEntity('t_Desk', { key: 'id', attributes: { id: embedded('t_DeskKey') } }),
    keyedEntity('t_Owner', { key: 'id', attributes: { id: long() } }),
    keyedEntity('t_Move', {
      key: 'id',
      attributes: {
        id: integer(),
        tenant: integer(),
        from: toOne('t_Desk').column('tenant', 'from_number'),
        to: toOne('t_Desk').column('tenant', 'to_number'),
        ownerId: integer(),
        owner: toOne('t_Owner').column('owner_id'),
      },
    }),
  ],
});
const layout = buildLayout(model, entityOf(model, 't_Move'));
const desk = (...key: number[]): Value => ({ key: canonicalKey(key) });

const settle = (stored: Record<string, Value>, given: Record<string, Value>) => {
  const none: Record<string, Value> = { tenant: null, from: null, to: null, ownerId: null, owner: null };
  const values = new Map(Object.entries({ ...none, ...stored, ...given }));
  const disagreements = settleShared(layout, values, new Set(Object.keys(given)));
  const set = Object.fromEntries([...values].filter(([, value]) => value !== null));
  return disagreements.length > 0 ? disagreements.map(({ path, other }) => `${path} ${other}`) : set;
};

test.each<[string, Record<string, Value>, Record<string, Value>, object]>([
  ['a reference sets the attribute', {}, { from: desk(1, 2) }, { tenant: 1, from: desk(1, 2) }],
  [
    'an attribute sets the reference, in its type',
    {},
    { ownerId: 5 },
    { ownerId: 5, owner: { key: canonicalKey(['5']) } },
  ],
  [
    'a reference sets the attribute, in its type',
    {},
    { owner: { key: canonicalKey(['5']) } },
    { ownerId: 5, owner: { key: canonicalKey(['5']) } },
  ],
  ['null clears the attribute', { ownerId: 5, owner: { key: canonicalKey(['5']) } }, { owner: null }, {}],
  ['null in a column of its own', { tenant: 1, from: desk(1, 2) }, { from: null }, { tenant: 1 }],
  ['the attribute and the reference', {}, { tenant: 2, from: desk(1, 2) }, ['from tenant']],
  ['two references', {}, { from: desk(1, 2), to: desk(2, 2) }, ['from to']],
  ['a stored reference', { tenant: 1, to: desk(1, 1) }, { from: desk(2, 2) }, ['from to']],
  ['the attribute and a stored reference', { tenant: 1, to: desk(1, 1) }, { tenant: 2 }, ['tenant to']],
  ['null and an attribute', {}, { owner: null, ownerId: 5 }, ['owner ownerId']],
])('%s', (_what, stored, given, expected) => {
  expect(settle(stored, given)).toEqual(expected);
});
