import { type DataManager, Decimal, type EntityChange, type EntityListener, entityListener } from '@lintel/application';

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
    Decimal.from(order['amount']).toFixed(2) !== amount
  ) {
    await data.update('sales_Order', orderId, { amount });
  }
}

/** The amount of an order with its lines and their discounts loaded. */
export function amountOf(order: Readonly<Record<string, unknown>>): Decimal {
  const one = Decimal.of(1);
  const total = listOf(order['lines']).reduce((sum, line) => {
    const value = listOf(line['discounts']).reduce(
      (rest, discount) => rest.times(one.minus(Decimal.from(discount['percent']).times('0.01'))),
      Decimal.from(line['quantity'], 1).times(Decimal.from(line['price'])),
    );
    return sum.plus(value);
  }, Decimal.of(0));
  return total.times(one.minus(Decimal.from(order['discount'])));
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(value) ? value : []);

/** Whether the amount of a stored order can be wrong after the change. Lines and discounts are its children. */
const concernsAmount = ({ change, before, after, withChildren }: EntityChange): boolean =>
  change === 'updated' &&
  (withChildren || before?.['discount'] !== after?.['discount'] || before?.['amount'] !== after?.['amount']);

export const ORDER_AMOUNT_LISTENERS: readonly EntityListener[] = [
  entityListener({
    entity: 'sales_Order',
    // A new order brings all its lines, so nothing has to be read.
    beforeSave: async ({ change, after }) =>
      change === 'created' && after !== undefined ? { amount: amountOf(after).toFixed(2) } : undefined,
    afterSave: (change, { data }) => (concernsAmount(change) ? recalculate(change.id, data) : Promise.resolve()),
  }),
];
