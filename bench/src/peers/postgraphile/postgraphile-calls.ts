import { randomUUID } from 'node:crypto';
import type { HttpCall } from '../../operations/operation.ts';
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

const FLAT = `rowId version number date status amount discount notes placedAt confirmedAt deliverFrom externalId
  attachment createdDate createdBy lastModifiedDate lastModifiedBy`;

const ORDER = `query ($id: UUID!) { order(rowId: $id) { ${FLAT} } }`;
const ORDERS = `query ($offset: Int!) { orders(orderBy: [DATE_DESC], first: 50, offset: $offset) { nodes { ${FLAT} } } }`;
const WITH_LINES = `query ($offset: Int!) { orders(orderBy: [DATE_DESC], first: 20, offset: $offset) { nodes {
  rowId number date status amount customer { rowId name email }
  orderLines { nodes { rowId quantity price position product { rowId name sku price } } } } } }`;
const MATCHING = `query ($status: Int!, $amount: BigFloat!, $prefix: String!) { orders(first: 20, filter: {
  status: { equalTo: $status }, amount: { greaterThan: $amount }, customer: { name: { startsWith: $prefix } } }) {
  nodes { ${FLAT} } } }`;
const LATEST = `query ($offset: Int!) { customers(orderBy: [PRIMARY_KEY_ASC], first: 50, offset: $offset) { nodes {
  rowId name orders(orderBy: [DATE_DESC], first: 3) { nodes { rowId number date amount } } } } }`;
const CREATE = `mutation ($order: OrderInput!) { createOrder(input: { order: $order }) { order { ${FLAT} } } }`;
const LINE = (name: string) =>
  `${name}: createOrderLine(input: { orderLine: $${name} }) { orderLine { rowId quantity price position } }`;
/** The mutations of one request run one after the other, each in a transaction of its own. */
const CREATE_WITH_LINES = `mutation ($order: OrderInput!, $a: OrderLineInput!, $b: OrderLineInput!, $c: OrderLineInput!) {
  createOrder(input: { order: $order }) { order { ${FLAT} } } ${['a', 'b', 'c'].map(LINE).join(' ')} }`;
const UPDATE = `mutation ($id: UUID!, $patch: OrderPatch!) {
  updateOrder(input: { rowId: $id, patch: $patch }) { order { ${FLAT} } } }`;

const send = (query: string, variables: object): HttpCall => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});

const createdOrder = (amount: string) => ({
  rowId: randomUUID(),
  version: 1,
  customerId: randomCustomer(),
  ...newOrder(amount),
});

/** Its groups are by columns and by days, not by months (A1). */
export const postgraphileCalls: PeerCalls = {
  R1: () => send(ORDER, { id: randomOrder() }),
  R2: () => send(ORDERS, { offset: randomOffset() }),
  R3: () => send(WITH_LINES, { offset: randomOffset() }),
  R4: () => {
    const { amount, ...filter } = randomFilter();
    return send(MATCHING, { ...filter, amount: String(amount) });
  },
  A2: () => send(LATEST, { offset: randomOffset() }),
  W1: () => send(CREATE, { order: createdOrder('0.00') }),
  W2: () => {
    const order = createdOrder('63.00');
    const [a, b, c] = newLines(() => ({
      rowId: randomUUID(),
      version: 1,
      orderId: order.rowId,
      productId: randomProduct(),
    }));
    return send(CREATE_WITH_LINES, { order, a, b, c });
  },
  W3: () => send(UPDATE, { id: randomOrder(), patch: { notes: randomNote() } }),
};
