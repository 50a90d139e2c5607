import { buildModel, compositionOfMany, standardEntity, toOne } from '@lintel/metadata';
import { queryPolicy, rowLevelRole, unprotectedChildren } from '../index.ts';

const child = (name: string, owner: string, attribute: string) =>
  standardEntity(name, { attributes: { [attribute]: toOne(owner) } });
const model = buildModel({
  entities: [
    standardEntity('t_Patient', {
      attributes: {
        bills: compositionOfMany('t_Bill', 'patient'),
        visits: compositionOfMany('t_Visit', 'patient').visibility('owner'),
        labels: compositionOfMany('t_Label', 'patient').visibility('own'),
      },
    }),
    standardEntity('t_Guest', { extends: 't_Patient', attributes: { meals: compositionOfMany('t_Meal', 'guest') } }),
    child('t_Bill', 't_Patient', 'patient'),
    standardEntity('t_Visit', {
      attributes: { patient: toOne('t_Patient'), items: compositionOfMany('t_Item', 'visit') },
    }),
    child('t_Label', 't_Patient', 'patient'),
    child('t_Meal', 't_Guest', 'guest'),
    child('t_Item', 't_Visit', 'visit'),
  ],
});
const namedBy = (...policies: Parameters<typeof queryPolicy>[]): readonly string[] =>
  unprotectedChildren(model, [
    rowLevelRole('own', { name: 'Own', policies: policies.map((policy) => queryPolicy(...policy)) }),
  ]).map(
    (problem) => /children (\w+): add \.visibility\('owner'\) to (\S+)/.exec(problem)?.slice(1).join(' ') ?? problem,
  );

test('children that nothing hides with their owner are named, at every depth', () => {
  expect([...namedBy(['t_Patient', '1 = 1'])].sort()).toEqual([
    't_Bill t_Patient.bills',
    't_Item t_Visit.items',
    't_Meal t_Guest.meals',
  ]);
});

test('a policy on the children, and one that does not hide, needs none', () => {
  expect(namedBy(['t_Patient', '1 = 1'], ['t_Bill', '1 = 1'], ['t_Item', '1 = 1'], ['t_Meal', '1 = 1'])).toEqual([]);
  expect(namedBy(['t_Patient', '1 = 1', { actions: ['update'] }])).toEqual([]);
});
