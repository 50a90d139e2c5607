import type { createClient } from './client.ts';

const MARK = 'Mrk7Qz';

/** What nobody but its owner may see; each is found again wherever it turns up. */
export interface Marked {
  /** What was sent in secret, and what must not be in logs, metrics and spans. */
  readonly marks: readonly string[];
  /** Statuses of the answers, to see that the journey went the way it was meant to. */
  readonly statuses: Readonly<Record<string, number>>;
}

const condition = (property: string, operator: string, value: unknown) => ({
  conditions: [{ property, operator, value }],
});

/**
 * A journey with secrets and personal data in every place where requests have room for them: good requests, and
 * those that are refused by a parser, by a rule, by the database and by a service.
 */
export async function walkMarked(client: ReturnType<typeof createClient>, adminToken: string): Promise<Marked> {
  const statuses: Record<string, number> = {};
  const marks = [MARK, adminToken];
  const ask = async (title: string, ...given: Parameters<typeof client.ask>) => {
    const answer = await client.ask(given[0], given[1], { token: adminToken, ...given[2] });
    statuses[title] = answer.status;
    return answer;
  };
  const username = `${MARK}user`;
  const password = `${MARK}password`;

  await ask('user', 'POST', '/rest/entities/sec_User', { body: { username, password, firstName: `${MARK}first` } });
  await ask('same user', 'POST', '/rest/entities/sec_User', { body: { username, password } });
  const role = { username, roleCode: 'system-full-access', roleType: 'resource' };
  await ask('role', 'POST', '/rest/entities/sec_RoleAssignment', { body: role });
  const login = await client.logIn(username, password);
  statuses['login'] = login.status;
  const { access_token: token, refresh_token: refreshToken } = login.json();
  marks.push(token, refreshToken, Buffer.from('client:secret').toString('base64'));
  statuses['wrong password'] = (await client.logIn(username, `${MARK}wrong`)).status;
  statuses['wrong client'] = (await client.logIn(username, password, `${MARK}client`)).status;

  const own = { token };
  await ask('token in the query', 'GET', `/rest/userInfo?access_token=${token}`, { token: '', headers: {} });
  await ask('bad token', 'GET', `/rest/userInfo`, { token: `${MARK}token` });
  await ask('bad token in the query', 'GET', `/rest/userInfo?access_token=${MARK}token`, { token: '' });

  const customer = { name: `${MARK} Lovelace`, email: `${MARK}@example.com`, address: { city: `${MARK}city` } };
  const created = await ask('customer', 'POST', '/rest/entities/sales_Customer', { ...own, body: customer });
  const { id } = created.json();
  await ask('bad mail', 'POST', '/rest/entities/sales_Customer', {
    ...own,
    body: { ...customer, email: `${MARK} mail` },
  });
  await ask('bad number', 'POST', '/rest/entities/sales_Customer', {
    ...own,
    body: { ...customer, creditLimit: `${MARK}1` },
  });
  await ask('bad json', 'POST', '/rest/entities/sales_Customer', { ...own, body: `{"name": "${MARK}` });
  await ask('too long', 'PUT', `/rest/entities/sales_Customer/${id}`, { ...own, body: { phone: MARK.repeat(20) } });
  await ask('bad id', 'GET', `/rest/entities/sales_Customer/${MARK}id`, own);
  await ask('no entity', 'GET', `/rest/entities/${MARK}entity`, own);
  const product = { name: MARK, sku: `${MARK}sku`, price: 1 };
  await ask('product', 'POST', '/rest/entities/sales_Product', { ...own, body: product });
  await ask('same product', 'POST', '/rest/entities/sales_Product', { ...own, body: product });

  const filter = condition('name', 'contains', `${MARK} Love`);
  const encoded = encodeURIComponent(JSON.stringify(filter));
  await ask('filter', 'GET', `/rest/entities/sales_Customer?filter=${encoded}`, own);
  await ask('search', 'POST', '/rest/entities/sales_Customer/search', { ...own, body: { filter } });
  const wrong = condition('birthDate', '=', `${MARK}day`);
  await ask('bad search', 'POST', '/rest/entities/sales_Customer/search', { ...own, body: { filter: wrong } });
  const unknown = condition(`${MARK}attribute`, '=', 1);
  await ask('bad attribute', 'POST', '/rest/entities/sales_Customer/search', { ...own, body: { filter: unknown } });
  await ask('bad parameter', 'GET', `/rest/entities/sales_Customer?limit=${MARK}`, own);
  const sum = { a: `${MARK}a`, b: 1 };
  await ask('bad method call', 'POST', '/rest/services/sales_ReportingService/sum', { ...own, body: sum });

  const name = encodeURIComponent(`${MARK} diagnosis.txt`);
  const file = await ask('upload', 'POST', `/rest/files?name=${name}`, { ...own, body: `${MARK} content` });
  const fileRef = encodeURIComponent(file.json().fileRef);
  await ask('download', 'GET', `/rest/files?fileRef=${fileRef}`, own);
  await ask(
    'no file',
    'GET',
    `/rest/files?fileRef=${encodeURIComponent(`fs://2026/01/01/${MARK}.txt?name=${MARK}.txt`)}`,
    own,
  );
  await ask('bad reference', 'GET', `/rest/files?fileRef=${MARK}`, own);

  const run = '/rest/reports/run/code/sales-by-customer';
  const parameters = (from: string) => ({
    parameters: [
      { name: 'from', value: from },
      { name: 'to', value: '2026-12-31' },
    ],
  });
  await ask('bad report parameter', 'POST', run, { ...own, body: parameters(`${MARK}from`) });
  const stranger = { parameters: [{ name: `${MARK}parameter`, value: MARK }] };
  await ask('unknown report parameter', 'POST', run, { ...own, body: stranger });
  const invoice = { parameters: [{ name: 'order', value: `${MARK}order` }] };
  await ask('bad invoice', 'POST', '/rest/reports/run/code/order-invoice', { ...own, body: invoice });
  const ended = await client.runInBackground(run, { ...own, body: parameters('2026-01-01') });
  statuses['run'] = ended.status;
  await ask('path of nothing', 'GET', `/${MARK}/nothing?name=${MARK}`, own);
  await ask('path of nothing below', 'GET', `/rest/${MARK}/nothing`, own);

  const revoke = new URLSearchParams({ token: refreshToken });
  const basic = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` };
  const revoked = await client.ask('POST', '/oauth2/revoke', { headers: basic, body: revoke });
  statuses['revoke'] = revoked.status;
  return { marks, statuses };
}
