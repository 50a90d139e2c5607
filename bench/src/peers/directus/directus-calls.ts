import { randomUUID } from 'node:crypto';
import type { PeerCalls } from '../peer-calls.ts';
import {
  newLines,
  newOrder,
  ORDER_COLUMNS,
  randomCustomer,
  randomFilter,
  randomNote,
  randomOffset,
  randomOrder,
  randomProduct,
} from '../peer-parameters.ts';

const FLAT = `fields=${ORDER_COLUMNS.join(',')}`;
const WITH_LINES = `fields=${[
  'id,number,date,status,amount,customer_id.id,customer_id.name,customer_id.email',
  'lines.id,lines.quantity,lines.price,lines.position',
  'lines.product_id.id,lines.product_id.name,lines.product_id.sku,lines.product_id.price',
].join(',')}`;
const ORDERS = '/items/order';

const createdOrder = (amount: string) => ({
  id: randomUUID(),
  version: 1,
  customer_id: randomCustomer(),
  ...newOrder(amount),
});

const MONTHS = new URLSearchParams([
  ['aggregate[count]', '*'],
  ['aggregate[sum]', 'amount'],
  ...['year(date)', 'month(date)', 'status'].map((group): [string, string] => ['groupBy[]', group]),
  ['sort', 'year(date),month(date),status'],
  ['limit', '-1'],
]);
const LATEST = new URLSearchParams([
  ['fields', 'id,name,orders.id,orders.number,orders.date,orders.amount'],
  ['deep[orders][_sort]', '-date'],
  ['deep[orders][_limit]', '3'],
  ['sort', 'id'],
  ['limit', '50'],
]);

/** Its search has no order of matches, and it has no trees. */
export const directusCalls: PeerCalls = {
  R1: () => ({ method: 'GET', path: `${ORDERS}/${randomOrder()}?${FLAT}` }),
  R2: () => ({ method: 'GET', path: `${ORDERS}?sort=-date&limit=50&offset=${randomOffset()}&${FLAT}` }),
  R3: () => ({ method: 'GET', path: `${ORDERS}?sort=-date&limit=20&offset=${randomOffset()}&${WITH_LINES}` }),
  R4: () => {
    const { status, amount, prefix } = randomFilter();
    const conditions = [
      { status: { _eq: status } },
      { amount: { _gt: amount } },
      { customer_id: { name: { _starts_with: prefix } } },
    ];
    const filter = encodeURIComponent(JSON.stringify({ _and: conditions }));
    return { method: 'GET', path: `${ORDERS}?filter=${filter}&limit=20&${FLAT}` };
  },
  A1: () => ({ method: 'GET', path: `${ORDERS}?${MONTHS}` }),
  A2: () => ({ method: 'GET', path: `/items/customer?${LATEST}&offset=${randomOffset()}` }),
  W1: () => ({ method: 'POST', path: `${ORDERS}?${FLAT}`, body: JSON.stringify(createdOrder('0.00')) }),
  W2: () => ({
    method: 'POST',
    path: `${ORDERS}?${WITH_LINES}`,
    body: JSON.stringify({
      ...createdOrder('63.00'),
      lines: newLines(() => ({ id: randomUUID(), version: 1, product_id: randomProduct() })),
    }),
  }),
  W3: () => ({
    method: 'PATCH',
    path: `${ORDERS}/${randomOrder()}?${FLAT}`,
    body: JSON.stringify({ notes: randomNote() }),
  }),
};
