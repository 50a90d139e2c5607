import {
  Decimal,
  type ParametersOf,
  RestError,
  RestMethod,
  RestService,
  type ServiceContext,
  Transactional,
  t,
} from '@lintel/application';
import { Order } from '../entities/orders.ts';
import { Product } from '../entities/products.ts';
import { PriceQuote } from '../entities/warehouse.ts';
import { complained, complainedWithoutReason } from '../events/complaints.ts';
import { amountOf } from '../listeners/order-amount.ts';

const CALCULATE_TOTAL = { params: { orderId: t.uuid }, returns: t.decimal };
const QUOTE = { params: { product: t.entity(Product), quantity: t.decimal.positive() }, returns: t.entity(PriceQuote) };
const CLOSE = {
  methods: ['POST'],
  params: { order: t.entity(Order) },
  returns: t.entity(Order),
  confirm: true,
  rehearsable: true,
} as const;
const COMPLAIN = {
  methods: ['POST'],
  params: { orderId: t.uuid, text: t.string.size(1, 500), reason: t.string.size(1, 50).optional() },
  rehearsable: true,
} as const;
const ATTACHMENT_URL = { params: { number: t.string, email: t.string }, returns: t.string };
const BY_DATE = { params: { from: t.localDate, to: t.localDate }, returns: t.list(t.entity(Order)) };

/** Characters of an order with which it takes no further complaint. */
const MAX_NOTES = 10_000;

/** Everything that the amount of an order is made of. */
const WITH_LINES = {
  entity: 'sales_Order',
  properties: [
    'discount',
    {
      name: 'lines',
      fetchPlan: {
        properties: ['quantity', 'price', { name: 'discounts', fetchPlan: { properties: ['percent'] } }],
      },
    },
  ],
};

/** What clients do with orders beyond reading and writing them. */
@RestService('sales_OrderService')
export class OrderService {
  /** The total of what the caller may see of the order. */
  @RestMethod(CALCULATE_TOTAL)
  async calculateTotal({ orderId }: ParametersOf<typeof CALCULATE_TOTAL>, { data }: ServiceContext): Promise<string> {
    const order = await data.load('sales_Order', orderId, { fetchPlan: WITH_LINES });
    if (order === undefined) throw new RestError(404, 'Order not found', `There is no order ${orderId}`);
    return amountOf(order).toFixed(2);
  }

  /** What a quantity of a product costs today. */
  @RestMethod(QUOTE)
  async quote({ product, quantity }: ParametersOf<typeof QUOTE>, { data }: ServiceContext) {
    const found = product.id === undefined ? undefined : await data.load('sales_Product', product.id);
    if (found === undefined) throw new RestError(404, 'Product not found', 'Name a product by its id');
    const unitPrice = Decimal.from(found['price']);
    return {
      product: found,
      quantity,
      unitPrice: unitPrice.toFixed(2),
      total: unitPrice.times(Decimal.from(quantity)).toFixed(2),
    };
  }

  /** Closes an order and returns it. */
  @RestMethod(CLOSE)
  @Transactional
  async close({ order }: ParametersOf<typeof CLOSE>, { data }: ServiceContext) {
    if (order.id === undefined) throw new RestError(400, 'Invalid parameter value', 'The order has no id');
    await data.update('sales_Order', order.id, { status: 'CLOSED' });
    return data.load('sales_Order', order.id);
  }

  /** Publishes the complaint of a customer; a closed order takes no complaint. */
  @RestMethod(COMPLAIN)
  @Transactional
  async complain({ orderId, text, reason }: ParametersOf<typeof COMPLAIN>, { data }: ServiceContext): Promise<void> {
    const subject = `sales_Order/${orderId}`;
    if (reason === undefined) await data.events.publish(complainedWithoutReason, subject, { text });
    else await data.events.publish(complained, subject, { text, reason });
    const order = await data.load('sales_Order', orderId);
    if (order === undefined) throw new RestError(404, 'Order not found', `There is no order ${orderId}`);
    const { status, notes } = order;
    if (status === 'CLOSED' || String(notes ?? '').length > MAX_NOTES)
      throw new RestError(409, 'Complaint refused', 'The order is closed, or has too many notes');
  }

  /** The orders of some days, both included. */
  @RestMethod(BY_DATE)
  byDate({ from, to }: ParametersOf<typeof BY_DATE>, { data }: ServiceContext) {
    return data.loadList('sales_Order', {
      filter: {
        conditions: [
          { property: 'date', operator: '>=', value: from },
          { property: 'date', operator: '<=', value: to },
        ],
      },
      sort: 'date,number',
    });
  }

  /** The attachment of an order, also for callers who may not read the order but know its number and its e-mail. */
  @RestMethod(ATTACHMENT_URL)
  async attachmentUrl(
    { number, email }: ParametersOf<typeof ATTACHMENT_URL>,
    { data, fileTicket }: ServiceContext,
  ): Promise<string> {
    const conditions = [
      { property: 'number', operator: '=', value: number },
      { property: 'customer.email', operator: '=', value: email },
      { property: 'attachment', operator: 'notEmpty', value: true },
    ];
    const [order] = await data.unconstrained().loadList('sales_Order', { filter: { conditions }, limit: 1 });
    if (order === undefined) throw new RestError(404, 'Attachment not found', 'No order has this number and e-mail');
    const { url } = await fileTicket(String(order['attachment']), { attachment: true });
    return url;
  }

  @RestMethod()
  ping(): void {}

  /** For those who want to see what a bug looks like. */
  @RestMethod()
  fail(): void {
    throw new Error('This method always fails');
  }
}
