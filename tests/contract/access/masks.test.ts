import { as, createOrder, demo, query, send, unique } from '../api.ts';
import { newUser } from '../new-user.ts';

/** No log line of a test run may have a value of this form. */
const hidden = (what: string): string => unique(`hid-${what}`);

const policy = (type: string, resource: string, action: string) => ({ type, resource, action });

/** A user who may read everything about customers and orders, with these specific permissions. */
async function reader(...specifics: readonly string[]) {
  const code = unique('masks');
  const entities = ['sales_Customer', 'sales_Order', 'sales_Address', 'sales_OrderLine', 'sales_LineDiscount'];
  const resourcePolicies = [
    ...[...entities, 'sales_Product'].flatMap((entity) => [
      policy('entity', entity, 'read'),
      policy('entityAttribute', `${entity}.*`, 'modify'),
    ]),
    policy('entity', 'sales_Customer', 'update'),
    ...['history.read', ...specifics].map((name) => policy('specific', name, 'access')),
  ];
  const role = { name: code, code, scopes: ['API'], childRoles: ['rest-minimal', 'report-run-api'], resourcePolicies };
  expect((await as('admin', 'POST', '/entities/sec_ResourceRole', { body: role })).status).toBe(201);
  const { token } = await newUser([code]);
  return (method: string, path: string, body?: object) =>
    send(method, `/rest${path}`, { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) });
}

/** A customer with former values, and an order. */
async function createCustomer() {
  const values = (city: string) => ({
    ...{ name: hidden('name'), email: `${hidden('mail')}@example.org`, phone: '555' },
    ...{ birthDate: '1990-01-01', address: { country: 'DE', city, street: hidden('street') } },
  });
  const body = { ...values(hidden('city')), grade: 'BRONZE' };
  const { id } = (await as('admin', 'POST', '/entities/sales_Customer', { body })).json();
  const now = new Date().toISOString();
  const change = { ...values(hidden('town')), grade: 'GOLD' };
  expect((await as('admin', 'PUT', `/entities/sales_Customer/${id}`, { body: change })).status).toBe(200);
  const lines = [{ product: { id: demo.product(1) }, quantity: 1, price: '1.00' }];
  const order = await createOrder({ number: unique('N'), customer: { id }, notes: hidden('notes'), lines });
  return { id, order, now, name: change.name };
}

// Asserts contract/personal-data.md#masks.
test('histories and reports show personal values to holders of the permission alone', async () => {
  const [auditor, officer] = await Promise.all([reader(), reader('personal.read.sales_Customer')]);
  const { id, order, now, name } = await createCustomer();
  const history = `/history/sales_Customer/${id}`;
  const plan = query({ time: now, fetchPlan: '_base' });
  const roads = ['', '?attribute=name', '?limit=1', '/diff?from=2020-01-01T00:00:00Z', `/at${plan}`];
  for (const road of roads) {
    const { status, text } = await auditor('GET', `${history}${road}`);
    expect([road, status, text]).toEqual([road, 200, expect.not.stringContaining('hid-')]);
    expect((await officer('GET', `${history}${road}`)).text).toContain('hid-');
  }
  const [latest] = (await auditor('GET', history)).json();
  expect(latest.attributes).toContainEqual({ attribute: 'name', masked: true });
  expect(latest.attributes).toContainEqual({ attribute: 'grade', old: 'BRONZE', new: 'GOLD' });
  const rehearsed = await auditor('POST', `/history/changes/${latest.change}/undo?dryRun=true`);
  expect([rehearsed.status, rehearsed.text]).toEqual([200, expect.not.stringContaining('hid-')]);

  const run = { template: 'html', parameters: [{ name: 'order', value: order }] };
  const invoice = await auditor('POST', '/reports/run/code/order-invoice', run);
  expect([invoice.status, invoice.text]).toEqual([200, expect.not.stringContaining('hid-')]);
  expect((await officer('POST', '/reports/run/code/order-invoice', run)).text).toContain(name);
  // Ordinary reads are under the rights of attributes.
  expect((await auditor('GET', `/entities/sales_Customer/${id}`)).json().name).toBe(name);
});

// Asserts contract/personal-data.md#masks.
test('refused personal values are in the response, and the log of the run has none', async () => {
  const refused = { name: hidden('long').repeat(30), email: hidden('mail'), birthDate: hidden('date') };
  for (const [attribute, value] of Object.entries(refused)) {
    const body = { name: hidden('name'), [attribute]: value };
    const response = await as('admin', 'POST', '/entities/sales_Customer', { body });
    expect([attribute, response.status]).toEqual([attribute, 400]);
  }
  const filter = query({
    filter: JSON.stringify({ conditions: [{ property: 'email', operator: '=', value: hidden('f') }] }),
  });
  expect((await as('admin', 'GET', `/entities/sales_Customer/search${filter}`)).status).toBe(200);
});
