import { setTimeout as sleep } from 'node:timers/promises';
import { job, type ParametersOf, RestError, restMethod, type ServiceContext, service, t } from '@lintel/application';

const REMIND_ALL = {
  methods: ['POST'],
  // With a pause between two orders: not every mail server takes many at once.
  params: { from: t.localDate, to: t.localDate, pauseSeconds: t.int.min(0).max(60).optional() },
  returns: t.int,
  longRunning: true,
} as const;

/** Queues the reminders of at most 1,000 shipped orders of a period. Returns their number. */
async function remindAll(
  { from, to, pauseSeconds }: ParametersOf<typeof REMIND_ALL>,
  { data, signal, progress }: Pick<ServiceContext, 'data' | 'signal' | 'progress'>,
): Promise<number> {
  const conditions = [
    { property: 'status', operator: '=', value: 'SHIPPED' },
    { property: 'date', operator: '>=', value: from },
    { property: 'date', operator: '<=', value: to },
  ];
  const orders = await data.loadList('sales_Order', { filter: { conditions }, limit: 1_000 });
  for (const [at, { id }] of orders.entries()) {
    await data.jobs.enqueue('payment-reminder', { orderId: id }, { key: String(id) });
    progress(at + 1, orders.length);
    await sleep((pauseSeconds ?? 0) * 1_000, undefined, { signal });
  }
  return orders.length;
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Reminds of orders that are not paid after a month. */
export const paymentReminders = job(
  'payment-reminders',
  { schedule: '0 7 * * 1', timeZone: 'Europe/Berlin', as: { resourceRoles: ['sales-manager'] } },
  (context) => remindAll({ from: daysAgo(60), to: daysAgo(30) }, context),
);

/** Reminders of orders that the caller may read. */
export const ReminderService = service('sales_ReminderService', {
  /** Reminds of an order once; with `at` then, instead of a reminder that waits. Returns the id of the run. */
  remind: restMethod(
    {
      methods: ['POST'],
      params: { orderId: t.uuid, at: t.offsetDateTime.optional() },
      returns: t.uuid,
      transactional: true,
      rehearsable: true,
    },
    async ({ orderId, at }, { data }) => {
      const order = await data.load('sales_Order', orderId);
      if (at) await data.jobs.cancel('payment-reminder', { key: orderId });
      const options = { key: orderId, ...(at && { runAt: new Date(at) }) };
      const run = await data.jobs.enqueue('payment-reminder', { orderId }, options);
      if (order?.['status'] !== 'SHIPPED') throw new RestError(404, 'Order not found', 'No such order was shipped');
      return run;
    },
  ),

  /** Reminds of the shipped orders of a period. Returns their number. */
  remindAll: restMethod(REMIND_ALL, async (period, context) => {
    const count = await remindAll(period, context);
    if (count === 0) throw new RestError(404, 'No orders', 'No order of this period was shipped');
    return count;
  }),
});
