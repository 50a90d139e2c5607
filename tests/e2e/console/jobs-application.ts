import { defineApplication, job, mail, onEvent } from '@lintel/application';
import sales from '@lintel/example-sales';

const AS = { resourceRoles: ['system-full-access'] };

/** The example with an event handler, and with jobs: one succeeds on a schedule, one fails, one runs until it is cancelled. */
export default defineApplication({
  ...sales,
  mails: [
    mail('count', {
      templates: { en: { subject: 'Orders', text: '{{ n }} orders', html: '<h1>{{ n }} orders</h1>' } },
    }),
  ],
  eventHandlers: [onEvent({ entity: 'sales_Order' }, { name: 'watch-orders', as: AS }, () => undefined)],
  jobs: [
    job('count-orders', { schedule: '0 2 1 1 *', timeZone: 'Europe/Berlin', as: AS }, async ({ progress, data }) => {
      progress(3, 3, 'orders counted');
      await data.mails.send('count', { to: 'ada@example.com', data: { n: 3 } });
    }),
    job('fail', { as: AS, retries: 0 }, () => {
      throw new RangeError('The message may have values');
    }),
    job('wait', { as: AS }, async ({ signal }) => {
      while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 100));
    }),
  ],
});
