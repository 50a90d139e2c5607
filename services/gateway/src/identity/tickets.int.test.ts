import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';

let gateway: RunningGateway;
let hardened: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ streamCheckIntervalMs: 100 });
  hardened = await startGateway({ 'svc.security.profile': 'hardened' });
});
afterAll(async () => {
  await gateway.close();
  await hardened.close();
});
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
  gateway.exchanged.length = 0;
  gateway.lines.length = 0;
});

let number = 0;
/** A ticket for a request. */
function ticketFor(url: string, method = 'GET', { tickets } = gateway): string {
  number += 1;
  const ticket = `t${number}`.padEnd(43, '-');
  tickets.set(ticket, `${method} ${url}`);
  return ticket;
}
const withTicket = (url: string, ticket: string) => `${url}${url.includes('?') ? '&' : '?'}ticket=${ticket}`;
const FILE = '/rest/files?fileRef=fs%3A%2F%2Fa';
const REFUSED = { error: 'invalid_token', error_description: 'Invalid access token' };

describe('tickets in URLs (contract/tokens.md#tickets)', () => {
  test.each([
    ['files', FILE],
    ['reports', '/rest/reports/runs/1/document'],
    ['data', '/rest/changes/sales_Order?lastEventId=x'],
  ] as const)('%s get the request as if it had a token, without the ticket', async (service, url) => {
    const ticket = ticketFor(url);
    expect((await fetch(gateway.url + withTicket(url, ticket))).status).toBe(200);
    const [seen] = gateway.upstreams[service].seen;
    expect(seen?.url).toBe(url);
    expect(seen?.headers.authorization).toMatch(/^Bearer eyJ/);
    const again = await fetch(gateway.url + withTicket(url, ticket));
    expect([again.status, await again.json(), again.headers.get('www-authenticate')]).toEqual([
      401,
      REFUSED,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect(gateway.upstreams[service].seen).toHaveLength(1);
    await until(() => gateway.lines.length >= 2);
    expect(gateway.lines.join()).not.toContain(ticket.slice(0, 10));
  });

  // Asserts contract/tokens.md#tickets.
  test('the hardened profile takes tickets, which are not the tokens of the login', async () => {
    const ticket = ticketFor(FILE, 'GET', hardened);
    expect((await fetch(hardened.url + withTicket(FILE, ticket))).status).toBe(200);
    const token = ticketFor(FILE, 'GET', hardened);
    const both = await fetch(`${hardened.url}${withTicket(FILE, token)}&access_token=opaque-clerk`);
    expect([both.status, hardened.tickets.has(token)]).toEqual([401, true]);
  });

  // Asserts contract/tokens.md#tickets.
  test('a ticket for another request is refused', async () => {
    for (const [url, method] of [
      [`${FILE}&attachment=true`, 'GET'],
      ['/rest/files?fileRef=fs%3A%2F%2Fb', 'GET'],
      [FILE, 'HEAD'],
    ] as const) {
      const response = await fetch(gateway.url + withTicket(url, ticketFor(FILE)), { method });
      expect([url, response.status]).toEqual([url, 401]);
    }
    const head = await fetch(gateway.url + withTicket(FILE, ticketFor(FILE, 'HEAD')), { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(gateway.upstreams.files.seen).toHaveLength(1);
  });

  // Asserts contract/tokens.md#tickets.
  test('other methods take no ticket, and do not use it up', async () => {
    const ticket = ticketFor(FILE);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await fetch(gateway.url + withTicket(FILE, ticket), { method })).status).toBe(401);
    expect(gateway.exchanged).toEqual([]);
    expect((await fetch(gateway.url + withTicket(FILE, ticket))).status).toBe(200);
  });

  // Asserts contract/tokens.md#tickets.
  test('elsewhere `ticket` is a parameter of the application, and no ticket', async () => {
    const ticket = ticketFor('/rest/entities/sales_Order');
    const url = withTicket('/rest/entities/sales_Order', ticket);
    expect((await fetch(gateway.url + url)).status).toBe(401);
    expect((await fetch(gateway.url + url, { headers: { authorization: 'Bearer opaque-clerk' } })).status).toBe(200);
    expect(gateway.upstreams.data.seen[0]?.url).toBe(url);
  });

  // Asserts contract/tokens.md#tickets.
  test('a token in the header counts, and leaves the ticket', async () => {
    const ticket = ticketFor(FILE);
    const headers = { authorization: 'Bearer opaque-clerk' };
    expect((await fetch(gateway.url + withTicket(FILE, ticket), { headers })).status).toBe(200);
    expect(gateway.upstreams.files.seen[0]?.url).toBe(FILE);
    expect((await fetch(gateway.url + withTicket(FILE, ticket))).status).toBe(200);
  });

  test('a text that is no ticket is refused without a request to auth', async () => {
    for (const ticket of ['', 'x', 'x'.repeat(5_000), '%00', `${ticketFor(FILE)}x`])
      expect((await fetch(gateway.url + withTicket(FILE, ticket))).status).toBe(401);
    expect(gateway.exchanged).toEqual([]);
  });

  // Asserts contract/tokens.md#tickets.
  test('a feed that began with a ticket goes on after it is used up, and ends with the session', async () => {
    gateway.upstreams.data.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    };
    const url = '/rest/changes/sales_Order';
    const response = await fetch(gateway.url + withTicket(url, ticketFor(url)));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    let checks = 0;
    const has = gateway.endedSessions.has.bind(gateway.endedSessions);
    gateway.endedSessions.has = (id) => {
      checks += 1;
      return has(id);
    };
    await until(() => checks >= 3);
    await gateway.bus.deliver('auth.session.ended.v1', { sessionId: 'session-other', username: 'other' });
    gateway.endedSessions.add('session-ticket');
    await expect(reader?.read()).rejects.toThrow();
  });
});
