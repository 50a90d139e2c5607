import { eventually } from '@lintel/testkit';
import { as, createOrder, type Response, unique } from '../api.ts';

/** The job of the example application that sends the reminder of one order, and the one that runs every week. */
export const [REMINDER, ALL_REMINDERS] = ['payment-reminder', 'payment-reminders'] as const;
export const RUNS = '/operations/job-runs';
const SERVICE = '/services/sales_ReminderService';

/** Paths of what the tests of a file have created. */
const created: string[] = [];

/** A customer and an order of this customer that was shipped. {@link removeOrders} removes them. */
export async function shippedOrder(customer: object, order: object = {}) {
  const response = await as('admin', 'POST', '/entities/sales_Customer', { body: { name: unique('P'), ...customer } });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  const customerId: string = response.json().id;
  const id = await createOrder({ customer: { id: customerId }, status: 'SHIPPED', ...order });
  created.unshift(`/entities/sales_Order/${id}`, `/entities/sales_Customer/${customerId}`);
  return { id, customerId };
}

export async function removeOrders(): Promise<void> {
  for (const path of created.splice(0)) expect((await as('admin', 'DELETE', path)).status).toBe(204);
}

/** An address that no other test uses. */
export const newAddress = (): string => `${unique('p')}@example.com`;

/** Asks for the reminder of an order. */
export const remind = (orderId: string, at?: string, user = 'manager', headers = {}): Promise<Response> =>
  as(user, 'POST', `${SERVICE}/remind`, { body: { orderId, at }, headers });

/** The run that an accepted request for a reminder has queued. */
export async function queuedBy(request: Promise<Response>): Promise<string> {
  const { status, text } = await request;
  expect([status, text]).toEqual([200, expect.stringMatching(/^"?[0-9a-f-]{36}"?$/)]);
  return text.replaceAll('"', '');
}

export const remindAll = (body: object, user = 'manager', headers = { prefer: 'respond-async' }): Promise<Response> =>
  as(user, 'POST', `${SERVICE}/remindAll`, { body, headers });

export const runOf = (id: string, user = 'admin'): Promise<Response> => as(user, 'GET', `${RUNS}/${id}`);

/** Waits until a run is in the state. */
export const inState = (id: string, state: string) =>
  eventually(async () => {
    const run = (await runOf(id)).json();
    expect(run).toMatchObject({ id, state });
    return run;
  });

/** Waits until a call in the background is in the state. */
export const callInState = (id: string, status: string, headers = {}) =>
  eventually(async () => {
    const run = (await as('manager', 'GET', `/service-runs/${id}`, { headers })).json();
    expect(run).toMatchObject({ id, status });
    return run;
  });
