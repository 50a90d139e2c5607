import { type Attack, type Attacker, atOnce } from './attack.ts';

const NAME = 'hostile delivery';
const PATH = '/rest/entities/sys_ReportDelivery';

const delivery = (values: object): object => ({
  ...{ name: NAME, report: 'sales-by-customer', recipients: 'a@example.com', schedule: '0 0 1 1 *', active: false },
  ...values,
});
const batch = (count: number, values: object): object => Array.from({ length: count }, () => delivery(values));
const post = ({ send }: Attacker, body: object) => send({ method: 'POST', path: PATH, body });
const cleanUp = async ({ query }: Attacker): Promise<void> => {
  await query('DELETE FROM sys.report_delivery WHERE name = $1', [NAME]);
};

/** Reports on a schedule. */
export const DELIVERY_ATTACKS: readonly Attack[] = [
  {
    finding: 'RD',
    title: 'schedules that are never due, or once in many years, are checked in time',
    sender: 'admin',
    run: async (attacker) => [
      await post(attacker, batch(1_000, { schedule: '30 2 29 2 *', timeZone: 'Europe/Berlin' })),
      await post(attacker, batch(1_000, { schedule: '0 0 30 2 *' })),
      await post(attacker, delivery({ schedule: `0 ${'0,'.repeat(48)}0 1 1 *` })),
    ],
    cleanUp,
    statuses: [201, 400],
  },
  {
    finding: 'RD',
    title:
      'more active reports than a user may have, and the longest lists of receivers and parameters, are refused in time',
    sender: 'admin',
    run: async (attacker) => [
      await post(attacker, batch(1_000, { active: true })),
      await post(attacker, batch(200, { recipients: 'a@b.c,'.repeat(660) })),
      ...(await atOnce(10, 5, () =>
        post(attacker, batch(20, { parameters: Array.from({ length: 100 }, () => ({ name: 'p'.repeat(180) })) })),
      )),
    ],
    cleanUp,
    statuses: [201, 400],
  },
];
