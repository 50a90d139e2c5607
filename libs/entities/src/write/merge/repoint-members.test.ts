import { buildModel, entityOf, standardEntity, toMany, toOne } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import { writeModelOf } from '../model/write-model.ts';
import { latestReferences, type Repointed } from './repoint-members.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Team', { attributes: { members: toMany('t_Member', 'team') } }),
    standardEntity('t_Member', { attributes: { team: toOne('t_Team') } }),
  ],
});
const layout = writeModelOf(model).of(entityOf(model, 't_Member'));

/** What one team of the request asks for a member: the team to come to, null to leave it. */
const asked = (member: string, team: string | null, isChange = true): Repointed => ({
  node: {
    entity: layout.entity,
    layout,
    key: canonicalKey([member]),
    kind: 'update',
    path: '',
    before: new Map(),
    after: new Map([['team', team === null ? null : { key: canonicalKey([team]) }]]),
    sent: new Map(),
    children: new Map(),
  },
  path: 'team',
  isNamed: team !== null,
  isChange,
});
const teams = (...all: readonly Repointed[]) =>
  Object.fromEntries(latestReferences(all).map(({ key, after }) => [key[0], after.get('team')]));

test('a member that several instances name belongs to the last of them', () => {
  expect(teams(asked('m', 'a'), asked('n', 'a'), asked('m', 'b'))).toEqual({
    m: { key: canonicalKey(['b']) },
    n: { key: canonicalKey(['a']) },
  });
});

test('a member that leaves one instance and comes to another has the reference to the latter, in any order', () => {
  expect(teams(asked('m', 'b'), asked('m', null))).toEqual({ m: { key: canonicalKey(['b']) } });
  expect(teams(asked('m', null), asked('m', 'b'))).toEqual({ m: { key: canonicalKey(['b']) } });
});

test('a member that is named last where it belongs already does not change', () => {
  expect(teams(asked('m', 'b'), asked('m', 'a', false))).toEqual({});
  expect(teams(asked('m', 'a', false), asked('m', 'b'))).toEqual({ m: { key: canonicalKey(['b']) } });
});

const word = fc
  .record({ member: fc.constantFrom('m', 'n'), team: fc.constantFrom('a', 'b', 'c', null), stays: fc.boolean() })
  .map(({ member, team, stays }) => asked(member, team, !(stays && team !== null)));

test('each member has one reference in the end, and what was asked for it last decides where it was named', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (repointed) => {
      const result = teams(...repointed);
      expect(latestReferences(repointed)).toHaveLength(Object.keys(result).length);
      for (const member of ['m', 'n']) {
        const last = repointed.findLast(({ node, isNamed }) => node.key[0] === member && isNamed);
        if (last?.isChange) expect(result[member]).toEqual(last.node.after.get('team'));
      }
    }),
    cases(200),
  );
});
