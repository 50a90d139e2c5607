import { entityListener, event } from '@lintel/application';
import { EMPTY_JOB } from './server-settings.ts';

/** An event of the application. */
export const orderSaved = event<{ readonly number: string }>('sales.order-saved.v1', {
  type: 'object',
  required: ['number'],
  properties: { number: { type: 'string' } },
});

/** Publishes an event and queues a run with each write of an order. */
export const followUps = entityListener({
  entity: 'sales_Order',
  async afterSave({ id, after }, { data }) {
    await data.events.publish(orderSaved, String(id), { number: String(after?.['number']) });
    await data.jobs.enqueue(EMPTY_JOB, { order: id });
  },
});
