import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpSessionLocales } from './http-session-locales.ts';

let auth: Server;
let status = 204;
const requests: { readonly url: string | undefined; readonly secret: string | undefined; readonly body: string }[] = [];
const changed: string[] = [];

beforeAll(async () => {
  auth = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({
      url: request.url,
      secret: request.headers.authorization,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => auth.close(resolve)));
beforeEach(() => {
  requests.length = 0;
  changed.length = 0;
});

const locales = () =>
  createHttpSessionLocales({
    authInternalUrls: [`http://127.0.0.1:${(auth.address() as AddressInfo).port}`],
    internalSecret: 'internal',
    onChanged: (id) => changed.push(id),
  });

test('a change is sent to auth with the shared secret, and the cached session is dropped', async () => {
  status = 204;
  expect(await locales().change('S1', 'de')).toBe(true);
  expect(requests).toEqual([
    { url: '/internal/session-locale', secret: 'Bearer internal', body: '{"sessionId":"S1","locale":"de"}' },
  ]);
  expect(changed).toEqual(['S1']);
});

test('the values of a login are sent as such, and the cached session is dropped', async () => {
  status = 204;
  expect(await locales().completeLogin('S1', { depot: 'north' })).toBe(true);
  expect(requests.map(({ body }) => body)).toEqual([
    '{"sessionId":"S1","attributes":{"depot":"north"},"ofLogin":true}',
  ]);
  expect(changed).toEqual(['S1']);
});

test('an ended session is reported', async () => {
  status = 404;
  expect(await locales().change('S1', 'de')).toBe(false);
  expect(changed).toEqual([]);
});

test('any other response, or none, is an outage of auth: 503', async () => {
  const outage = { code: 'AUTH_UNAVAILABLE', status: 503 };
  for (status of [401, 500, 503]) await expect(locales().change('S1', 'de')).rejects.toMatchObject(outage);
  const nowhere = createHttpSessionLocales({
    authInternalUrls: ['http://127.0.0.1:1'],
    internalSecret: 'internal',
    onChanged: (id) => changed.push(id),
  });
  await expect(nowhere.change('S1', 'de')).rejects.toMatchObject(outage);
  expect(changed).toEqual([]);
});
