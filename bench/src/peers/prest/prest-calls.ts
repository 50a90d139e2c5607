import { randomUUID } from 'node:crypto';
import type { PeerCalls } from '../peer-calls.ts';
import {
  newOrder,
  ORDER_COLUMNS,
  randomCustomer,
  randomFilter,
  randomNote,
  randomOrder,
  randomPage,
} from '../peer-parameters.ts';

/** Name of the database in the paths, which the copy of the data set has for each run. */
const PREST_DATABASE = 'lintel_bench_run';

const ORDERS = `/${PREST_DATABASE}/sales/order`;
const SELECTED = ORDER_COLUMNS.map((name) => `order.${name}`).join(',');

/** Joins multiply rows, and a request writes one table: there is no single request for R3 and W2. */
export const prestCalls: PeerCalls = {
  R1: () => ({ method: 'GET', path: `${ORDERS}?id=$eq.${randomOrder()}&_select=${ORDER_COLUMNS.join(',')}` }),
  R2: () => ({
    method: 'GET',
    path: `${ORDERS}?_order=-date&_page_size=50&_page=${randomPage(50) + 1}&_select=${ORDER_COLUMNS.join(',')}`,
  }),
  R4: () => {
    const { status, amount, prefix } = randomFilter();
    const filter = `order.status=$eq.${status}&order.amount=$gt.${amount}&customer.name=$like.${prefix}%25`;
    const join = '_join=inner:sales.customer:customer.id:$eq:order.customer_id';
    return { method: 'GET', path: `${ORDERS}?_select=${SELECTED}&${join}&${filter}&_page_size=20&_page=1` };
  },
  W1: () => ({
    method: 'POST',
    path: ORDERS,
    body: JSON.stringify({
      id: randomUUID(),
      version: 1,
      customer_id: randomCustomer(),
      ...newOrder('0.00'),
    }),
  }),
  W3: () => ({
    method: 'PATCH',
    path: `${ORDERS}?id=$eq.${randomOrder()}`,
    body: JSON.stringify({ notes: randomNote() }),
  }),
};
