import type { EntityUi } from '../../entities/ui-hints.ts';
import type { FetchPlan } from '../../fetch-plans/fetch-plan.ts';
import { boolean, enumOf, string } from '../attributes.ts';
import { buildModel, draftModel } from '../build-model.ts';
import { standardEntity } from '../entity-builder.ts';
import { enumeration } from '../enumeration.ts';

const Mood = enumeration('t.Mood', { GOOD: 1 });
const PLANS: readonly FetchPlan[] = [{ name: 'list', entity: 't_Thing', properties: [] }];

const thing = (ui: EntityUi, attributes = {}) =>
  standardEntity('t_Thing', { attributes: { name: string(), notes: string(), ...attributes }, ui });
const problemsOf = (ui: EntityUi, attributes = {}) =>
  draftModel({ entities: [thing(ui, attributes)], enums: [Mood], fetchPlans: PLANS }).problems;

test('hints that fit are in the model, and descendants have those of their ancestor', () => {
  const ui: EntityUi = {
    order: ['notes', 'name'],
    groups: [{ name: 'texts', attributes: ['notes'] }],
    listPlan: 'list',
  };
  const model = buildModel({
    entities: [
      thing(ui, { mood: enumOf(Mood).ui({ widget: 'radio' }), done: boolean().ui({ widget: 'checkbox' }) }),
      standardEntity('t_Special', { extends: 't_Thing', attributes: { more: string().ui({ widget: 'textarea' }) } }),
      standardEntity('t_Own', { extends: 't_Thing', attributes: {}, ui: { order: ['name'] } }),
    ],
    enums: [Mood],
    fetchPlans: PLANS,
  });
  expect(model.entities.get('t_Thing')?.ui).toEqual(ui);
  expect(model.entities.get('t_Special')?.ui).toEqual(ui);
  expect(model.entities.get('t_Own')?.ui).toEqual({ order: ['name'] });
  expect(model.entities.get('t_Special')?.attributes.get('mood')?.ui).toEqual({ widget: 'radio' });
});

test.each<[string, EntityUi, string]>([
  ['order', { order: ['nmae'] }, 'ui.order of t_Thing names the unknown attribute nmae; did you mean name?'],
  ['a repeated attribute', { order: ['name', 'name'] }, 'ui.order of t_Thing names name twice'],
  [
    'an attribute of a group',
    { groups: [{ name: 'texts', attributes: ['notess'] }] },
    'The ui.group texts of t_Thing names the unknown attribute notess; did you mean notes?',
  ],
  [
    'two groups of one attribute',
    {
      groups: [
        { name: 'a', attributes: ['name'] },
        { name: 'b', attributes: ['name'] },
      ],
    },
    't_Thing.name is in the ui.groups twice',
  ],
  [
    'two groups of one name',
    {
      groups: [
        { name: 'a', attributes: ['name'] },
        { name: 'a', attributes: ['notes'] },
      ],
    },
    'Two ui.groups of t_Thing have the name a',
  ],
  [
    'the name of a group',
    { groups: [{ name: 'a b', attributes: [] }] },
    'ui.groups of t_Thing: the name "a b" has characters other than letters, digits and _',
  ],
  ['the plan', { listPlan: 'lists' }, 'ui.listPlan of t_Thing is the unknown fetch plan lists; did you mean list?'],
])('%s that the model does not have is refused', (_, ui, problem) => {
  expect(problemsOf(ui)).toEqual([problem]);
});

test('a widget for another type is refused, as is an unknown one', () => {
  expect(
    problemsOf(
      {},
      {
        mood: enumOf(Mood).ui({ widget: 'textarea' }),
        done: boolean().ui({ widget: 'radio' }),
        other: string().ui({ widget: 'slider' as 'radio' }),
        hidden: string().ui({ widget: 'hidden' }),
      },
    ),
  ).toEqual([
    't_Thing.mood has the widget textarea, which is for texts',
    't_Thing.done has the widget radio, which is for enums',
    't_Thing.other has the unknown widget slider',
  ]);
});

test('plans are checked when they are known', () => {
  expect(draftModel({ entities: [thing({ listPlan: 'later' })], enums: [Mood] }).problems).toEqual([]);
  expect(problemsOf({ listPlan: '_base' })).toEqual([]);
});
