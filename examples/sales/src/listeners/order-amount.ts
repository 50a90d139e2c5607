import { type DataManager, type EntityChange, type EntityListener, entityListener } from '@lintel/application';
import { decimalOf, type ExactDecimal } from './exact-decimal.ts';

/**
 * Keeps `Order.amount` = (sum over lines of quantity × price × Π(1 − percent/100) over the line's
 * discounts) × (1 − discount), missing values as 1 or 0, rounded half up to 2 digits.
 */
async function recalculate(orderId: unknown, data: DataManager): Promise<void> {
  const order = await data.load('sales_Order', orderId, {
    fetchPlan: {
      entity: 'sales_Order',
      properties: [
        'amount',
        'discount',
        {
          name: 'lines',
          fetchPlan: {
            properties: ['quantity', 'price', { name: 'discounts', fetchPlan: { properties: ['percent'] } }],
          },
        },
      ],
    },
  });
  if (order === undefined) return;
  const amount = amountOf(order).toFixed(2);
  if (
    order['amount'] === undefined ||
    order['amount'] === null ||
    decimalOf(order['amount'], '0').toFixed(2) !== amount
  ) {
    await data.update('sales_Order', orderId, { amount });
  }
}

/** The amount of an order with its lines and their discounts loaded. */
export function amountOf(order: Readonly<Record<string, unknown>>): ExactDecimal {
  const one = decimalOf('1', '1');
  const total = listOf(order['lines']).reduce(
    (sum, line) => {
      const value = listOf(line['discounts']).reduce(
        (rest, discount) => rest.times(one.minus(decimalOf(discount['percent'], '0').times(decimalOf('0.01', '0')))),
        decimalOf(line['quantity'], '1').times(decimalOf(line['price'], '0')),
      );
      return sum.plus(value);
    },
    decimalOf('0', '0'),
  );
  return total.times(one.minus(decimalOf(order['discount'], '0')));
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(value) ? value : []);

const idOf = (reference: unknown): unknown =>
  typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : undefined;

/** The order of a changed line, before and after: both amounts change when a line moves. */
async function ordersOfLine(change: EntityChange, data: DataManager): Promise<void> {
  const ids = new Set([idOf(change.before?.['order']), idOf(change.after?.['order'])]);
  for (const id of ids) if (id !== undefined) await recalculate(id, data);
}

async function orderOfDiscount(change: EntityChange, data: DataManager): Promise<void> {
  const lineId = idOf(change.after?.['line']) ?? idOf(change.before?.['line']);
  if (lineId === undefined) return;
  const line = await data.load('sales_OrderLine', lineId, {
    fetchPlan: { entity: 'sales_OrderLine', properties: ['order'] },
  });
  const orderId = idOf(line?.['order']);
  if (orderId !== undefined) await recalculate(orderId, data);
}

/** Whether the amount can be wrong after the change; changes of lines come as changes of their own. */
const concernsAmount = ({ change, before, after }: EntityChange): boolean =>
  change === 'created' ||
  (change === 'updated' && (before?.['discount'] !== after?.['discount'] || before?.['amount'] !== after?.['amount']));

export const ORDER_AMOUNT_LISTENERS: readonly EntityListener[] = [
  entityListener({
    entity: 'sales_Order',
    afterSave: (change, { data }) => (concernsAmount(change) ? recalculate(change.id, data) : Promise.resolve()),
  }),
  entityListener({ entity: 'sales_OrderLine', afterSave: (change, { data }) => ordersOfLine(change, data) }),
  entityListener({ entity: 'sales_LineDiscount', afterSave: (change, { data }) => orderOfDiscount(change, data) }),
];
