import { buildModel, compositionOfMany, type FetchPlan, standardEntity, string, toOne } from '@lintel/metadata';
import { UNLIMITED } from '../limits/query-limits.ts';
import { parseFetchPlan } from '../parse/parse-fetch-plan.ts';
import { resolveFetchPlan } from './resolve-fetch-plan.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Order', {
      attributes: {
        number: string(10),
        customer: toOne('t_Customer'),
        lines: compositionOfMany('t_Line', 'order'),
      },
    }),
    standardEntity('t_Customer', { attributes: { name: string(10), city: string(10) } }),
    standardEntity('t_SpecialOrder', { attributes: { reason: string(10) }, extends: 't_Order' }),
    standardEntity('t_Line', { attributes: { order: toOne('t_Order').mandatory(), text: string(10) } }),
  ],
  fetchPlans: [
    {
      name: 'brief',
      entity: 't_Order',
      properties: [
        { name: 'number', plan: undefined },
        {
          name: 'customer',
          plan: { name: undefined, entity: 't_Customer', properties: [{ name: 'name', plan: undefined }] },
        },
      ],
    },
  ],
});

type Shape = { readonly [name: string]: Shape | true };
const shapeOf = ({ properties }: FetchPlan): Shape =>
  Object.fromEntries(properties.map(({ name, plan }) => [name, plan === undefined ? true : shapeOf(plan)]));
const shape = (definition: object, entity = 't_Order'): Shape => {
  const found = model.entities.get(entity);
  if (found === undefined) throw new Error(`There is no ${entity}`);
  const parsed = parseFetchPlan(JSON.stringify({ entity, ...definition }), true);
  return shapeOf(resolveFetchPlan(parsed, found, model, UNLIMITED));
};
const LOCAL = {
  id: true,
  version: true,
  createdDate: true,
  createdBy: true,
  lastModifiedDate: true,
  lastModifiedBy: true,
};

test('a nested plan that is a text is the named or built-in plan of the target', () => {
  expect(shape({ properties: [{ name: 'lines', fetchPlan: '_local' }] })).toEqual({ lines: { ...LOCAL, text: true } });
});

test('a plan of the same name that was defined before in the same JSON counts first', () => {
  const properties = [
    { name: 'customer', fetchPlan: { name: '_local', properties: ['city'] } },
    { name: 'lines', fetchPlan: { properties: [{ name: 'order', fetchPlan: 'brief' }] } },
  ];
  expect(shape({ properties })).toEqual({
    customer: { city: true },
    lines: { order: { number: true, customer: { name: true } } },
  });
});

test('extends adds the properties of other plans, at every level, and joins nested plans', () => {
  const properties = [{ name: 'customer', fetchPlan: { extends: '_local', properties: [] } }, 'lines.text'];
  expect(shape({ extends: 'brief', properties })).toEqual({
    number: true,
    customer: { name: true, ...LOCAL, city: true },
    lines: { text: true },
  });
  expect(shape({ extends: ['brief', '_local'] })).toEqual({ ...LOCAL, number: true, customer: { name: true } });
});

test('a plan of an ancestor can be extended', () => {
  expect(shape({ extends: 'brief', properties: ['reason'] }, 't_SpecialOrder')).toEqual({
    number: true,
    customer: { name: true },
    reason: true,
  });
});

test('the plan that is extended is not changed', () => {
  shape({ extends: 'brief', properties: ['customer.city'] });
  expect(shape({ extends: 'brief' })).toEqual({ number: true, customer: { name: true } });
});
