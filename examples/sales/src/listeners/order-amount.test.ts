import { amountOf } from './order-amount.ts';

test('the amount is the sum of the lines after their discounts and the discount of the order', () => {
  const order = {
    discount: '0.1000',
    lines: [
      { quantity: '3.000', price: '19.99' },
      { quantity: '1.500', price: '10.00', discounts: [{ percent: '50.00' }, { percent: '10.00' }] },
    ],
  };
  expect(amountOf(order).toFixed(2)).toBe('60.05');
});

test('missing quantity counts as 1, missing price as 0, and half a cent is rounded up', () => {
  expect(amountOf({ lines: [{ price: '0.125' }, { quantity: '2' }] }).toFixed(2)).toBe('0.13');
  expect(amountOf({}).toFixed(2)).toBe('0.00');
});
