import { type EntityListener, entityListener, type Instance } from '@lintel/application';

type Values = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);
const amount = (value: unknown): Decimal => new Decimal(String(value ?? '0'));

/** The price of a job: its parts and its labour, exact to the cent. */
export function totalOf(job: Values): string {
  const parts = listOf(job['parts']).map(({ quantity, price }) => amount(quantity).times(amount(price)));
  const labour = listOf(job['labour']).map(({ hours, rate }) => amount(hours).times(amount(rate)));
  return [...parts, ...labour].reduce((sum, value) => sum.plus(value), new Decimal(0)).toFixed(2);
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

/** Keeps `total` up to date. Children of a changed job are loaded: the change does not contain all of them. */
export const JOB_TOTAL: EntityListener = entityListener({
  entity: 'garage_Job',
  beforeSave: async ({ change, after }) =>
    change === 'created' && after !== undefined ? { total: totalOf(after) } : undefined,
  async afterSave({ id, change, withChildren }, { data }) {
    if (change !== 'updated' || !withChildren) return;
    const job: Instance | undefined = await data.load('garage_Job', id, { fetchPlan: PLAN });
    if (job !== undefined && job['total'] !== totalOf(job)) await data.update('garage_Job', id, { total: totalOf(job) });
  },
});
