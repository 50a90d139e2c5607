import { randomUUID } from 'node:crypto';
import { idOf, SIZES } from '../database/data-set.ts';
import { type HttpCall, type Operation, randomWhole } from './operation.ts';

const ORDERS = '/rest/entities/sales_Order';
const CONNECTIONS = 16;

/** A number that no order has. */
const newNumber = (): string => `W${randomUUID().replaceAll('-', '').slice(0, 19)}`;

const reference = (kind: 'customer' | 'product', count: number) => ({ id: idOf(kind, randomWhole(1, count + 1)) });

/** The amount agrees with the lines, so that the application's rule finds nothing to change. */
const newOrder = (amount: string) => ({
  number: newNumber(),
  date: '2026-05-06',
  customer: reference('customer', SIZES.customers),
  amount,
});

const newLine = (position: number) => ({
  product: reference('product', SIZES.products),
  quantity: '2.000',
  price: '10.50',
  position,
});

/** Both APIs take the same body. */
const create = (body: object): { readonly lintel: HttpCall; readonly yardstick: HttpCall } => {
  const text = JSON.stringify(body);
  return {
    lintel: { method: 'POST', path: ORDERS, body: text },
    yardstick: { method: 'POST', path: '/rest/orders', body: text },
  };
};

export const WRITES: readonly Operation[] = [
  {
    name: 'W1',
    about: 'create an order',
    isWrite: true,
    connections: CONNECTIONS,
    draw: () => create(newOrder('0.00')),
  },
  {
    name: 'W2',
    about: 'create an order with 3 lines',
    isWrite: true,
    connections: CONNECTIONS,
    draw: () => create({ ...newOrder('63.00'), lines: [newLine(1), newLine(2), newLine(3)] }),
  },
  {
    name: 'W3',
    about: 'partial update of an order',
    isWrite: true,
    connections: CONNECTIONS,
    draw() {
      const id = idOf('order', randomWhole(1, SIZES.orders + 1));
      const body = JSON.stringify({ notes: `changed ${randomWhole(0, 1_000_000_000)}` });
      return {
        lintel: { method: 'PUT', path: `${ORDERS}/${id}`, body },
        yardstick: { method: 'PUT', path: `/rest/orders/${id}`, body },
      };
    },
  },
];
