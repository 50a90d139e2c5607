import { Decimal, type EntityListener, entityListener, type Instance } from '@lintel/application';

type Values = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);

/** The price of a job: its parts and its labour, exact to the cent. */
export function totalOf(job: Values): string {
  const parts = listOf(job['parts']).map(({ quantity, price }) => Decimal.from(quantity).times(Decimal.from(price)));
  const labour = listOf(job['labour']).map(({ hours, rate }) => Decimal.from(hours).times(Decimal.from(rate)));
  return Decimal.sum([...parts, ...labour]).toFixed(2);
}

/** Everything that the total is computed from. */
const PLAN = {
  entity: 'garage_Job',
  properties: [
    'total',
    { name: 'parts', fetchPlan: { properties: ['quantity', 'price'] } },
    { name: 'labour', fetchPlan: { properties: ['hours', 'rate'] } },
  ],
};

/**
 * Keeps `total` up to date. It is computed after the save: the listener of the parts has set their prices by then, and
 * a change of one child does not contain the others.
 */
export const JOB_TOTAL: EntityListener = entityListener({
  entity: 'garage_Job',
  async afterSave({ id, change, withChildren }, { data }) {
    if (change === 'deleted' || (change === 'updated' && !withChildren)) return;
    const job: Instance | undefined = await data.load('garage_Job', id, { fetchPlan: PLAN });
    if (job !== undefined && job['total'] !== totalOf(job))
      await data.update('garage_Job', id, { total: totalOf(job) });
  },
});
