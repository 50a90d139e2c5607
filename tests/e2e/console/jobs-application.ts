import { defineApplication, job } from '@lintel/application';
import sales from '@lintel/example-sales';

const AS = { resourceRoles: ['system-full-access'] };

/** The example with jobs: one succeeds on a schedule, one fails, one runs until it is cancelled. */
export default defineApplication({
  ...sales,
  jobs: [
    job('count-orders', { schedule: '0 2 1 1 *', timeZone: 'Europe/Berlin', as: AS }, ({ progress }) =>
      progress(3, 3, 'orders counted'),
    ),
    job('fail', { as: AS, retries: 0 }, () => {
      throw new RangeError('The message may have values');
    }),
    job('wait', { as: AS }, async ({ signal }) => {
      while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 100));
    }),
  ],
});
