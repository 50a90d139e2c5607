import { defineApplication, job, mail, onEvent, restMethod, service, t } from '@lintel/application';
import sales from '@lintel/example-sales';

const AS = { resourceRoles: ['system-full-access'] };

/** The example with an event handler, and with jobs: one succeeds on a schedule, one fails, one runs until it is cancelled. */
export default defineApplication({
  ...sales,
  mails: [
    mail('report-delivery', { templates: { en: { subject: '{{ name }}', text: '{{ document }} is attached.' } } }),
    mail('count', {
      templates: { en: { subject: 'Orders', text: '{{ n }} orders', html: '<h1>{{ n }} orders</h1>' } },
    }),
  ],
  services: [
    ...(sales.services ?? []),
    service('sales_Stock', {
      count: restMethod(
        { methods: ['POST'], params: { shelf: t.string }, longRunning: true },
        async ({ shelf }, { progress, signal }) => {
          if (shelf === 'broken') throw new RangeError('The message may have values');
          progress(1, 3, 'shelves counted');
          while (shelf === 'endless' && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 100));
          return { shelf, items: 12 };
        },
      ),
      notify: restMethod({ methods: ['POST'], params: { order: t.uuid } }, async ({ order }, { data }) => {
        const link = { entity: 'sales_Order', id: order };
        await data.notifications.send({
          to: 'admin',
          title: 'An order waits',
          text: 'Its customer asks for it.',
          link,
        });
        await data.notifications.send({ to: 'clerk', title: 'For another user' });
      }),
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
