import type { PeerCalls } from '../peer-calls.ts';
import {
  newLines,
  newOrder,
  randomCustomer,
  randomFilter,
  randomNote,
  randomOrder,
  randomPage,
  randomProduct,
} from '../peer-parameters.ts';

const FLAT = 'projection=flat';

const createdOrder = (amount: string) => ({ ...newOrder(amount), customer: `/customers/${randomCustomer()}` });

export const springCalls: PeerCalls = {
  R1: () => ({ method: 'GET', path: `/orders/${randomOrder()}?${FLAT}` }),
  R2: () => ({ method: 'GET', path: `/orders?sort=date,desc&size=50&page=${randomPage(50)}&${FLAT}` }),
  R3: () => ({ method: 'GET', path: `/orders?sort=date,desc&size=20&page=${randomPage(20)}&projection=withLines` }),
  R4: () => {
    const { status, amount, prefix } = randomFilter();
    const filter = `status=${status}&amount=${amount}&name=${prefix}`;
    return { method: 'GET', path: `/orders/search/matching?${filter}&size=20&${FLAT}` };
  },
  W1: () => ({ method: 'POST', path: `/orders?${FLAT}`, body: JSON.stringify(createdOrder('0.00')) }),
  W2: () => ({
    method: 'POST',
    path: '/orders',
    body: JSON.stringify({
      ...createdOrder('63.00'),
      lines: newLines(() => ({ product: `/products/${randomProduct()}` })),
    }),
  }),
  W3: () => ({
    method: 'PATCH',
    path: `/orders/${randomOrder()}?${FLAT}`,
    body: JSON.stringify({ notes: randomNote() }),
  }),
};
