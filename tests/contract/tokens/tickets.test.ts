import { as, baseUrl, query, send, tokenOf, tokenRequest, withinASecond } from '../api.ts';

interface Issued {
  readonly ticket: string;
  readonly url: string;
  readonly expiresIn: number;
}

let file: string;
beforeAll(async () => {
  const upload = await as('manager', 'POST', '/files?name=ticket.txt', { body: 'with a ticket' });
  file = `/rest/files${query({ fileRef: upload.json().fileRef })}`;
});

async function issue(url: string, method?: string, username = 'manager'): Promise<Issued> {
  const response = await as(username, 'POST', '/tickets', { body: { url, method } });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json();
}
const open = (url: string, init: RequestInit = {}) => fetch(baseUrl + url, init);
/** The status, after the body was read. */
async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

describe('tickets (contract/tokens.md#tickets)', () => {
  test('a browser opens a file by its URL alone, once', async () => {
    const issued = await issue(file);
    expect(issued).toEqual({
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      url: `${file}&ticket=${issued.ticket}`,
      expiresIn: 60,
    });
    const response = await open(issued.url);
    expect([response.status, await response.text()]).toEqual([200, 'with a ticket']);
    const again = await open(issued.url);
    expect([again.status, await again.json()]).toEqual([
      401,
      { error: 'invalid_token', error_description: 'Invalid access token' },
    ]);
  });

  // Asserts contract/tokens.md#tickets.
  test('of requests at the same time one is served', async () => {
    const { url } = await issue(file);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(open(url))));
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
  });

  // Asserts contract/tokens.md#tickets.
  test('it opens no other path, query or method', async () => {
    for (const [from, to, method] of [
      ['fileRef=', 'attachment=true&fileRef=', 'GET'],
      ['/rest/files', '/rest/files/', 'GET'],
      ['/rest/files', '/rest/changes/sales_Order', 'GET'],
      ['', '', 'HEAD'],
      ['', '', 'POST'],
      ['', '', 'DELETE'],
    ] as const) {
      const { url } = await issue(file);
      expect([to, method, await statusOf(open(url.replace(from, to), { method }))]).toEqual([to, method, 401]);
    }
    const head = await issue(file, 'HEAD');
    expect(await statusOf(open(head.url, { method: 'HEAD' }))).toBe(200);
  });

  // Asserts contract/tokens.md#tickets.
  test('it has the rights of its caller', async () => {
    expect(await statusOf(open((await issue('/rest/changes/sales_Customer', 'GET', 'viewer')).url))).toBe(403);
    expect(await statusOf(open((await issue(file, 'GET', 'viewer')).url))).toBe(403);
  });

  // Asserts contract/tokens.md#tickets.
  test('a feed of changes begins with it, and continues after an event by `lastEventId`', async () => {
    const read = async (url: string): Promise<string> => {
      const leaving = new AbortController();
      const response = await open((await issue(url)).url, { signal: leaving.signal });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      const reader = response.body?.getReader();
      let text = '';
      while (!text.includes('\nid: ')) text += new TextDecoder().decode((await reader?.read())?.value);
      leaving.abort();
      return text;
    };
    const [, id = ''] = /\nid: (\S+)/.exec(await read('/rest/changes/sales_Order')) ?? [];
    await read(`/rest/changes/sales_Order?lastEventId=${id}`);
    const wrong = await as('manager', 'GET', '/changes/sales_Order?lastEventId=x');
    expect([wrong.status, wrong.json().error]).toEqual([400, 'Invalid parameter value']);
  });

  // Asserts contract/tokens.md#tickets.
  test('it ends with the session', async () => {
    const form = { grant_type: 'password', username: 'manager', password: 'manager' };
    const token = (await tokenRequest('/oauth/token', form)).json().access_token;
    const headers = { authorization: `Bearer ${token}` };
    const { url } = (await send('POST', '/rest/tickets', { headers, body: { url: file } })).json() as Issued;
    await tokenRequest('/oauth/revoke', { token });
    await withinASecond(
      async () => send('GET', '/rest/userInfo', { headers }),
      ({ status }) => status === 401,
    );
    expect(await statusOf(open(url))).toBe(401);
  });

  // Asserts contract/tokens.md#tickets.
  test('requests for one are checked', async () => {
    const ask = (body: unknown, headers = {}) => as('manager', 'POST', '/tickets', { body, headers });
    for (const [body, status] of [
      [{ url: '/rest/entities/sales_Order' }, 400],
      [{ url: 'https://example.org/rest/files' }, 400],
      [{ url: file, method: 'POST' }, 400],
      [{}, 400],
      [[], 400],
      ['x', 400],
      [{ url: '/rest/files?'.padEnd(40_000, 'x') }, 413],
    ] as const)
      expect([body, (await ask(body)).status]).toEqual([body, status]);
    const unknown = await ask({ url: file, life: 5 });
    expect([unknown.status, unknown.headers.get('x-ignored')]).toEqual([201, 'body.life']);
    expect((await ask({ url: file, life: 5 }, { prefer: 'handling=strict' })).status).toBe(400);
    expect((await send('POST', '/rest/tickets', { body: { url: file } })).status).toBe(401);
    expect(
      (await send('GET', '/rest/tickets', { headers: { authorization: `Bearer ${await tokenOf('manager')}` } })).status,
    ).toBe(405);
  });
});
