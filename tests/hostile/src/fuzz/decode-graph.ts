import { customerId, orderId, productId } from '../attacks/request-shapes.ts';
import type { HttpRequest } from '../client/send-request.ts';
import { GeneReader, type Genes } from './genes.ts';

const MAX_ITEMS = 1_000;
const MAX_NODES = 10_000;
const MAX_TEXT = 50_000;
/** Begin of the notes of all that is created. */
export const GRAPH_NOTE = 'hostile graph';

let numbers = 0;

/** Orders with lines and discounts, created or changed in batches within the limits of their size. */
export function decodeGraph(genes: Genes): HttpRequest {
  const reader = new GeneReader(genes);
  const isUpdate = reader.below(3) === 0;
  const items = 1 + reader.size(isUpdate ? 20 : MAX_ITEMS - 1);
  const linesEach = reader.size(Math.floor(MAX_NODES / items)) - 1;
  const discountsEach = reader.below(3) === 0 ? reader.below(4) : 0;
  const noteLength = reader.below(4) === 0 ? Math.floor(reader.size(MAX_TEXT) / items) : 0;
  const isPlanned = reader.below(3) === 0;
  let nodes = 0;
  const line = (at: number): object => ({
    product: { id: productId(1 + reader.below(20)) },
    quantity: 1 + reader.below(9),
    price: reader.below(1_000),
    position: at,
    ...(discountsEach > 0
      ? { discounts: Array.from({ length: discountsEach }, () => ({ reason: 'r', percent: reader.below(99) })) }
      : {}),
  });
  const order = (at: number): object => {
    numbers += 1;
    const room = Math.max(0, Math.floor((MAX_NODES - nodes) / (1 + discountsEach)) - 1);
    const count = Math.max(0, Math.min(room, linesEach));
    nodes += 1 + count * (1 + discountsEach);
    return {
      ...(isUpdate
        ? { id: orderId(1 + at) }
        : {
            number: `G${process.pid}-${numbers}`,
            date: '2026-02-03',
            customer: { id: customerId(1 + reader.below(5)) },
          }),
      notes: GRAPH_NOTE + 'x'.repeat(noteLength),
      ...(isUpdate && linesEach < 1 ? {} : { lines: Array.from({ length: count }, (_, index) => line(index)) }),
    };
  };
  const body = Array.from({ length: items }, (_, at) => order(at));
  const plan = isPlanned ? '?responseFetchPlan=order-edit' : '';
  return { method: isUpdate ? 'PUT' : 'POST', path: `/rest/entities/sales_Order${plan}`, body };
}
