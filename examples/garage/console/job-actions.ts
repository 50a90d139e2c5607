import type { ActionContext, ExtensionAction } from '@lintel/react/console';

/** Calls a method of the service of jobs for the job of the form. */
async function call(method: 'finish' | 'invoice', { client, instances, reload, notify }: ActionContext): Promise<void> {
  const [job] = instances;
  const result = await client.call('garage_Jobs', method, { number: job?.['number'] });
  notify(method === 'invoice' ? `Invoice ${result}` : 'The job is done');
  reload();
}

/** The steps of a job, which the service checks. */
export const JOB_ACTIONS: readonly ExtensionAction[] = [
  {
    entity: 'garage_Job',
    on: 'instance',
    name: 'finish',
    title: { en: 'Finish', de: 'Abschließen' },
    isShown: (rights) => rights.mayModify('garage_Job', 'status'),
    run: (context) => call('finish', context),
  },
  {
    entity: 'garage_Job',
    on: 'instance',
    name: 'invoice',
    title: { en: 'Create the invoice', de: 'Rechnung erstellen' },
    isShown: (rights) => rights.may('garage_Invoice', 'create'),
    run: (context) => call('invoice', context),
  },
];
