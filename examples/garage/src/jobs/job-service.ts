import { type ApplicationData, type Instance, RestError, restMethod, service, t } from '@lintel/application';

const WITH_PARTS = {
  entity: 'garage_Job',
  properties: [
    'number',
    'status',
    'total',
    'mechanic',
    { name: 'parts', fetchPlan: { properties: ['quantity', { name: 'part', fetchPlan: { properties: ['stock'] } }] } },
  ],
};

/** What a workshop does with a job beyond reading and writing it. Both methods are one transaction each. */
export const jobService = service('garage_Jobs', {
  /** `POST /rest/services/garage_Jobs/finish`: marks the job as done and takes its parts from the stock. */
  finish: restMethod(
    { methods: ['POST'], params: { number: t.string }, transactional: true },
    async ({ number }, { data }) => {
      const job = await jobOf(number, data);
      if (job['status'] !== 'RECEIVED' && job['status'] !== 'IN_PROGRESS')
        throw new RestError(409, 'Job finished', `The job ${number} is finished already`);
      for (const { part, quantity } of job['parts'] as readonly Instance[]) {
        const { id, stock } = part as Instance;
        const left = Number(stock) - Number(quantity);
        if (left < 0) throw new RestError(409, 'Part missing', `There are only ${stock} of the part ${id}`);
        await data.unconstrained().update('garage_Part', id, { stock: left });
      }
      await data.update('garage_Job', job.id, { status: 'DONE' });
    },
  ),
  /** `POST /rest/services/garage_Jobs/invoice`: creates the invoice and returns its number. */
  invoice: restMethod(
    { methods: ['POST'], params: { number: t.string }, returns: t.string, transactional: true },
    async ({ number }, { data }) => {
      const job = await jobOf(number, data);
      if (job['status'] !== 'DONE')
        throw new RestError(409, 'Job not finished', `The job ${number} is ${String(job['status'])}, not DONE`);
      const invoiceNumber = `I-${number}`;
      await data.create('garage_Invoice', {
        number: invoiceNumber,
        job: { id: job.id },
        issuedAt: new Date().toISOString().slice(0, 23),
        amount: job['total'],
      });
      await data.update('garage_Job', job.id, { status: 'INVOICED' });
      return invoiceNumber;
    },
  ),
});

/** @throws RestError 404 if the caller sees no such job */
async function jobOf(number: string, data: ApplicationData): Promise<Instance> {
  const filter = { conditions: [{ property: 'number', operator: '=', value: number }] };
  const [job] = await data.loadList('garage_Job', { filter, fetchPlan: WITH_PARTS });
  if (job === undefined) throw new RestError(404, 'Job not found', `There is no job ${number}`);
  return job;
}
