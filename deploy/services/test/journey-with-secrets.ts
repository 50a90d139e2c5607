import type { createClient } from './client.ts';

const SECRET = 'Mrk7Qz';

/** What only its owner may see; each can be found wherever it appears. */
export interface JourneyWithSecrets {
  /** What was sent in secret, and what must not be in logs, metrics and spans. */
  readonly secrets: readonly string[];
  /** Statuses of the responses, to see that the journey went the way it was meant to. */
  readonly statuses: Readonly<Record<string, number>>;
}

const condition = (property: string, operator: string, value: unknown) => ({
  conditions: [{ property, operator, value }],
});

/**
 * A journey with secrets and personal data in every part of a request that can carry them: good requests, and
 * those that are refused by a parser, by a rule, by the database and by a service.
 */
export async function runJourneyWithSecrets(
  client: ReturnType<typeof createClient>,
  adminToken: string,
): Promise<JourneyWithSecrets> {
  const statuses: Record<string, number> = {};
  const secrets = [SECRET, adminToken];
  const ask = async (title: string, ...given: Parameters<typeof client.ask>) => {
    const response = await client.ask(given[0], given[1], { token: adminToken, ...given[2] });
    statuses[title] = response.status;
    return response;
  };
  const username = `${SECRET}user`;
  const password = `${SECRET}password`;

  await ask('user', 'POST', '/rest/entities/sec_User', { body: { username, password, firstName: `${SECRET}first` } });
  await ask('same user', 'POST', '/rest/entities/sec_User', { body: { username, password } });
  const role = { username, roleCode: 'system-full-access', roleType: 'resource' };
  await ask('role', 'POST', '/rest/entities/sec_RoleAssignment', { body: role });
  const login = await client.logIn(username, password);
  statuses['login'] = login.status;
  const { access_token: token, refresh_token: refreshToken } = login.json();
  secrets.push(token, refreshToken, Buffer.from('client:secret').toString('base64'));
  statuses['wrong password'] = (await client.logIn(username, `${SECRET}wrong`)).status;
  statuses['wrong client'] = (await client.logIn(username, password, `${SECRET}client`)).status;

  const own = { token };
  await ask('token in the query', 'GET', `/rest/userInfo?access_token=${token}`, { token: '', headers: {} });
  await ask('bad token', 'GET', `/rest/userInfo`, { token: `${SECRET}token` });
  await ask('bad token in the query', 'GET', `/rest/userInfo?access_token=${SECRET}token`, { token: '' });

  const customer = { name: `${SECRET} Lovelace`, email: `${SECRET}@example.com`, address: { city: `${SECRET}city` } };
  const created = await ask('customer', 'POST', '/rest/entities/sales_Customer', { ...own, body: customer });
  const { id } = created.json();
  await ask('bad mail', 'POST', '/rest/entities/sales_Customer', {
    ...own,
    body: { ...customer, email: `${SECRET} mail` },
  });
  await ask('bad number', 'POST', '/rest/entities/sales_Customer', {
    ...own,
    body: { ...customer, creditLimit: `${SECRET}1` },
  });
  await ask('bad json', 'POST', '/rest/entities/sales_Customer', { ...own, body: `{"name": "${SECRET}` });
  await ask('too long', 'PUT', `/rest/entities/sales_Customer/${id}`, { ...own, body: { phone: SECRET.repeat(20) } });
  await ask('bad id', 'GET', `/rest/entities/sales_Customer/${SECRET}id`, own);
  await ask('no entity', 'GET', `/rest/entities/${SECRET}entity`, own);
  const product = { name: SECRET, sku: `${SECRET}sku`, price: 1 };
  await ask('product', 'POST', '/rest/entities/sales_Product', { ...own, body: product });
  await ask('same product', 'POST', '/rest/entities/sales_Product', { ...own, body: product });

  const filter = condition('name', 'contains', `${SECRET} Love`);
  const encoded = encodeURIComponent(JSON.stringify(filter));
  await ask('filter', 'GET', `/rest/entities/sales_Customer?filter=${encoded}`, own);
  await ask('search', 'POST', '/rest/entities/sales_Customer/search', { ...own, body: { filter } });
  const wrong = condition('birthDate', '=', `${SECRET}day`);
  await ask('bad search', 'POST', '/rest/entities/sales_Customer/search', { ...own, body: { filter: wrong } });
  const unknown = condition(`${SECRET}attribute`, '=', 1);
  await ask('bad attribute', 'POST', '/rest/entities/sales_Customer/search', { ...own, body: { filter: unknown } });
  await ask('bad parameter', 'GET', `/rest/entities/sales_Customer?limit=${SECRET}`, own);
  const sum = { a: `${SECRET}a`, b: 1 };
  await ask('bad method call', 'POST', '/rest/services/sales_ReportingService/sum', { ...own, body: sum });

  const name = encodeURIComponent(`${SECRET} diagnosis.txt`);
  const file = await ask('upload', 'POST', `/rest/files?name=${name}`, { ...own, body: `${SECRET} content` });
  const fileRef = encodeURIComponent(file.json().fileRef);
  await ask('download', 'GET', `/rest/files?fileRef=${fileRef}`, own);
  await ask(
    'no file',
    'GET',
    `/rest/files?fileRef=${encodeURIComponent(`fs://2026/01/01/${SECRET}.txt?name=${SECRET}.txt`)}`,
    own,
  );
  await ask('bad reference', 'GET', `/rest/files?fileRef=${SECRET}`, own);

  const run = '/rest/reports/run/code/sales-by-customer';
  const parameters = (from: string) => ({
    parameters: [
      { name: 'from', value: from },
      { name: 'to', value: '2026-12-31' },
    ],
  });
  await ask('bad report parameter', 'POST', run, { ...own, body: parameters(`${SECRET}from`) });
  const stranger = { parameters: [{ name: `${SECRET}parameter`, value: SECRET }] };
  await ask('unknown report parameter', 'POST', run, { ...own, body: stranger });
  const invoice = { parameters: [{ name: 'order', value: `${SECRET}order` }] };
  await ask('bad invoice', 'POST', '/rest/reports/run/code/order-invoice', { ...own, body: invoice });
  const ended = await client.runInBackground(run, { ...own, body: parameters('2026-01-01') });
  statuses['run'] = ended.status;
  await ask('path of nothing', 'GET', `/${SECRET}/nothing?name=${SECRET}`, own);
  await ask('path of nothing below', 'GET', `/rest/${SECRET}/nothing`, own);

  const revoke = new URLSearchParams({ token: refreshToken });
  const basic = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` };
  const revoked = await client.ask('POST', '/oauth2/revoke', { headers: basic, body: revoke });
  statuses['revoke'] = revoked.status;
  return { secrets: secrets, statuses };
}
