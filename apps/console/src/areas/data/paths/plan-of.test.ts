import { planOf } from './plan-of.ts';

test.each([
  [[], {}],
  [['number', 'date'], { number: true, date: true }],
  [['customer', 'customer.name', 'customer.address.city'], { customer: { name: true, address: { city: true } } }],
  [['+vip', 'customer.+vip', 'address.city'], { customer: true, address: { city: true } }],
])('the plan of %j', (paths, plan) => {
  expect(planOf(paths)).toEqual(plan);
});
