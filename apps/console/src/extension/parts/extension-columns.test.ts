import type { ExtensionColumn } from '@lintel/react/console';
import { columnsFor, withPlansOf } from './extension-columns.ts';

const column = (entity: string, fetchPlan?: object) =>
  ({ entity, name: entity, title: entity, component: () => null, ...(fetchPlan && { fetchPlan }) }) as ExtensionColumn;

test('a list has the columns for its entity', () => {
  const [one, other] = [column('a_B'), column('a_C')];
  expect(columnsFor({ columns: [one, other] }, 'a_C')).toEqual([other]);
  expect(columnsFor({}, 'a_C')).toEqual([]);
});

test('what the columns need is read with the list, at every level', () => {
  const plan = { number: true, customer: true, lines: { price: true, product: { name: true } } };
  expect(
    withPlansOf(plan, [
      column('a', { customer: { grade: true } }),
      column('a', { lines: { product: { sku: true } } }),
      column('a'),
    ]),
  ).toEqual({
    number: true,
    customer: { grade: true },
    lines: { price: true, product: { name: true, sku: true } },
  });
  expect(withPlansOf({ customer: { name: true } }, [column('a', { customer: true })])).toEqual({
    customer: { name: true },
  });
});
