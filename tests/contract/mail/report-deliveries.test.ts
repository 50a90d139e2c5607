import { as } from '../api.ts';
import { newAddress } from '../jobs/reminders.ts';

const DELIVERIES = '/entities/sys_ReportDelivery';
const TIME = { weekday: 'long', hour: '2-digit', minute: '2-digit' } as const;
const weekly = (values: object = {}) => ({
  ...{ name: 'Sales of the week', report: 'sales-by-customer', template: 'csv', locale: 'de' },
  ...{ schedule: '30 6 * * 1', timeZone: 'Europe/Berlin', recipients: newAddress() },
  parameters: [
    { name: 'from', value: '2026-01-01' },
    { name: 'to', value: '2026-12-31' },
  ],
  ...values,
});

// Asserts contract/mail.md#reports.
test('a report on a schedule belongs to its author, who chooses a time before the next one', async () => {
  const created = await as('admin', 'POST', DELIVERIES, { body: weekly({ owner: 'manager', lastSent: '2020-01-01' }) });
  expect(created.status).toBe(201);
  const path = `${DELIVERIES}/${created.json().id}`;
  const stored = async () => (await as('admin', 'GET', `${path}?fetchPlan=_local`)).json();
  const { nextRun, ...delivery } = await stored();
  expect(delivery).toMatchObject({ owner: 'admin', active: true });
  expect(delivery).not.toHaveProperty('lastSent');
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', ...TIME }).format(new Date(`${nextRun}Z`));
  expect(time).toBe('Monday 06:30');
  const chosen = async (value: string) => {
    expect((await as('admin', 'PUT', path, { body: { nextRun: value } })).status).toBe(200);
    return (await stored()).nextRun;
  };
  expect(await chosen('2100-01-01T00:00:00.000')).toBe(nextRun);
  const earlier = new Date(Date.parse(`${nextRun}Z`) - 60_000).toISOString().slice(0, -1);
  expect(await chosen(earlier)).toBe(earlier);
  expect((await as('admin', 'PUT', path, { body: { active: false } })).status).toBe(200);
  expect(await stored()).not.toHaveProperty('nextRun');
  expect((await as('admin', 'DELETE', path)).status).toBe(204);
});

// Asserts contract/mail.md#reports.
test.each([
  [{ locale: 'xx' }, 'locale'],
  [{ schedule: '*/5 * * * *' }, 'schedule'],
  [{ timeZone: 'Berlin' }, 'timeZone'],
  [{ recipients: 'office' }, 'recipients'],
  [{ parameters: [{ value: 1 }] }, 'parameters'],
])('%o is refused', async (values, attribute) => {
  const { status, text } = await as('admin', 'POST', DELIVERIES, { body: weekly(values) });
  expect([status, text]).toEqual([400, expect.stringContaining(`"path":"${attribute}`)]);
});

// Asserts contract/mail.md#reports.
test('a report on a schedule is for those who may use the entity', async () => {
  expect((await as('manager', 'POST', DELIVERIES, { body: weekly() })).status).toBe(403);
  expect((await as('manager', 'GET', DELIVERIES)).status).toBe(403);
});
