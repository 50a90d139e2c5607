import { as, basic, demo, query, send, tokenRequest, unique, withinASecond } from '../contract/api.ts';

/** What the README promises, from the first token to the last row of the report. */
test('a newcomer follows the tour: token, search, order, file, report', async () => {
  const login = await tokenRequest('/oauth/token', { grant_type: 'password', username: 'admin', password: 'admin' });
  expect(login.status).toBe(200);
  const headers = { authorization: `Bearer ${login.json().access_token}` };

  const search = await send('POST', '/rest/entities/sales_Order/search', {
    headers,
    body: {
      filter: { conditions: [{ property: 'customer.address.country', operator: '=', value: 'DE' }] },
      fetchPlan: 'order-list',
      sort: '-date',
      limit: 5,
      returnCount: true,
    },
  });
  expect(search.status).toBe(200);
  expect(search.json()).toHaveLength(5);
  expect(Number(search.headers.get('x-total-count'))).toBeGreaterThan(5);

  const number = unique('TOUR');
  const created = await send('POST', '/rest/entities/sales_Order', {
    headers,
    body: { number, date: '2026-11-21', customer: { id: demo.customer(3) } },
  });
  expect(created.status).toBe(201);
  const path = `/rest/entities/sales_Order/${created.json().id}`;

  const upload = await send('POST', `/rest/files?name=${encodeURIComponent('delivery note.txt')}`, {
    headers,
    body: 'Leave it at the gate.',
  });
  const { fileRef } = upload.json();
  const updated = await send('PUT', `${path}?responseFetchPlan=_local`, {
    headers,
    body: { status: 'CONFIRMED', attachment: fileRef },
  });
  expect(updated.json()).toMatchObject({ status: 'CONFIRMED', attachment: fileRef, version: 2 });
  const file = await send('GET', `/rest/files${query({ fileRef })}`, { headers });
  expect(file.text).toBe('Leave it at the gate.');

  const report = await send('POST', '/rest/reports/run/code/sales-by-customer', {
    headers,
    body: {
      parameters: [
        { name: 'from', value: '2026-01-01' },
        { name: 'to', value: '2026-12-31' },
      ],
    },
  });
  expect(report.status).toBe(200);

  expect((await send('DELETE', path, { headers })).status).toBe(204);
  expect((await send('GET', path, { headers })).status).toBe(404);
});

test('a clerk works on the orders of the own region only', async () => {
  const orders: { id: string }[] = (await as('clerk', 'GET', '/entities/sales_Order?fetchPlan=_local')).json();
  const all = await as('admin', 'GET', '/entities/sales_Order?limit=1&returnCount=true');
  expect(orders.length).toBeGreaterThan(0);
  expect(orders.length).toBeLessThan(Number(all.headers.get('x-total-count')));

  const foreign = await as('admin', 'POST', '/entities/sales_Order/search', {
    body: {
      filter: { conditions: [{ property: 'customer.address.country', operator: '<>', value: 'DE' }] },
      fetchPlan: '_local',
      limit: 1,
    },
  });
  const hidden = foreign.json()[0].id;
  expect((await as('clerk', 'GET', `/entities/sales_Order/${hidden}`)).status).toBe(404);
  expect((await as('clerk', 'PUT', `/entities/sales_Order/${hidden}`, { body: { notes: 'x' } })).status).toBe(404);

  const own = orders[0]?.id ?? '';
  const note = unique('call');
  expect((await as('clerk', 'PUT', `/entities/sales_Order/${own}`, { body: { notes: note } })).status).toBe(200);
  expect((await as('clerk', 'GET', `/entities/sales_Order/${own}?fetchPlan=_local`)).json().notes).toBe(note);
});

test('an integration without a user reads and writes with the rights of its client', async () => {
  const response = await tokenRequest(
    '/oauth2/token',
    { grant_type: 'client_credentials' },
    { authorization: basic('integration', 'secret') },
  );
  const headers = { authorization: `Bearer ${response.json().access_token}` };
  const created = await send('POST', '/rest/entities/sales_Customer?responseFetchPlan=_local', {
    headers,
    body: { name: unique('Integration'), creditLimit: '99.90' },
  });
  expect(created.status).toBe(201);
  expect(created.json()).toMatchObject({ createdBy: 'integration', active: true });
  expect(created.text).toMatch(/"creditLimit":\s*99\.90\b/);
  const denied = await send('POST', '/rest/entities/sales_Product', {
    headers,
    body: { name: 'x', sku: 'x', price: 1 },
  });
  expect(denied.status).toBe(403);
  expect((await send('DELETE', `/rest/entities/sales_Customer/${created.json().id}`, { headers })).status).toBe(204);
});

// Asserts contract/roles.md#combination, contract/roles.md#definition, contract/tokens.md#oauth-errors.
test('a change of roles acts within a second on a session that exists (contract/decisions.md#56)', async () => {
  const username = unique('temp');
  const user = await as('admin', 'POST', '/entities/sec_User', {
    body: { username, password: `secret-of-${username}` },
  });
  expect(user.status).toBe(201);
  const login = await tokenRequest('/oauth/token', {
    grant_type: 'password',
    username,
    password: `secret-of-${username}`,
  });
  const headers = { authorization: `Bearer ${login.json().access_token}` };
  const status = async (): Promise<number> =>
    (await send('GET', '/rest/entities/sales_Product?limit=1', { headers })).status;
  expect(await status()).toBe(403);
  for (const roleCode of ['rest-minimal', 'catalog-reader']) {
    const assigned = await as('admin', 'POST', '/entities/sec_RoleAssignment', {
      body: { username, roleCode, roleType: 'resource' },
    });
    expect(assigned.status).toBe(201);
  }
  expect(await withinASecond(status, (found) => found === 200)).toBe(200);
  await as('admin', 'PUT', `/entities/sec_User/${user.json().id}`, { body: { active: false } });
  expect(await withinASecond(status, (found) => found === 401)).toBe(401);
  const again = await tokenRequest('/oauth/token', {
    grant_type: 'password',
    username,
    password: `secret-of-${username}`,
  });
  expect(again.json()).toEqual({ error: 'invalid_grant', error_description: 'User is disabled' });
});
