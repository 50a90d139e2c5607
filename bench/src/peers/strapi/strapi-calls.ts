import type { PeerCalls } from '../peer-calls.ts';
import {
  newLines,
  newOrder,
  randomCustomer,
  randomFilter,
  randomNote,
  randomOffset,
  randomOrder,
  randomProduct,
} from '../peer-parameters.ts';

const ORDERS = '/api/orders';
const WITH_LINES = [
  'populate[customer][fields]=name,email',
  'populate[lines][populate][product][fields]=name,sku,price',
].join('&');

const page = (size: number): string =>
  `sort=date:desc&pagination[start]=${randomOffset()}&pagination[limit]=${size}&pagination[withCount]=false`;

const createdOrder = (amount: string) => ({ ...newOrder(amount), customer: randomCustomer() });

export const strapiCalls: PeerCalls = {
  R1: () => ({ method: 'GET', path: `${ORDERS}/${randomOrder()}` }),
  R2: () => ({ method: 'GET', path: `${ORDERS}?${page(50)}` }),
  R3: () => ({ method: 'GET', path: `${ORDERS}?${page(20)}&${WITH_LINES}` }),
  R4: () => {
    const { status, amount, prefix } = randomFilter();
    const filter = `filters[status][$eq]=${status}&filters[amount][$gt]=${amount}&filters[customer][name][$startsWith]=${prefix}`;
    return {
      method: 'GET',
      path: `${ORDERS}?${filter}&pagination[start]=0&pagination[limit]=20&pagination[withCount]=false`,
    };
  },
  W1: () => ({ method: 'POST', path: ORDERS, body: JSON.stringify({ data: createdOrder('0.00') }) }),
  W2: () => ({
    method: 'POST',
    path: ORDERS,
    body: JSON.stringify({
      data: { ...createdOrder('63.00'), lines: newLines(() => ({ product: randomProduct() })) },
    }),
  }),
  W3: () => ({
    method: 'PUT',
    path: `${ORDERS}/${randomOrder()}`,
    body: JSON.stringify({ data: { notes: randomNote() } }),
  }),
};
