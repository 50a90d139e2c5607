import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  controller,
  defineApplication,
  RestError,
  type ServiceContext,
  serviceUpstream,
  upstreamRoute,
} from '@lintel/application';
import { fromExpress } from '@lintel/http';
import { decimal, standardEntity, string } from '@lintel/metadata';
import { entityPolicy, resourceRole, viewAttributes } from '@lintel/security';
import express from 'express';
import { type DataFixture, startData } from '../data-fixture.ts';

const upstream = createServer((request, response) => {
  if (request.url?.endsWith('/early')) {
    response.writeHead(413).end('too much');
    return;
  }
  if (request.url?.endsWith('/broken')) {
    request.socket.destroy();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('X-Upstream', 'yes');
    response.setHeader('Content-Type', 'application/json');
    response.statusCode = 202;
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, token: headers.authorization, body: Buffer.concat(chunks).toString() }));
  });
});

let fixture: DataFixture;
let upstreamUrl: string;
const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  viewer: { resourceRoles: ['viewer'] },
  nobody: { resourceRoles: [] },
  anonymous: { resourceRoles: [], kind: 'anonymous' as const },
};

const application = () => {
  const legacy = express.Router();
  legacy.get('/hello', (_request, response) => {
    const { username } = response.locals['lintel'] as ServiceContext;
    response.status(203).type('text').send(`hello ${username}`);
  });
  return defineApplication({
    id: 'c',
    name: 'Controllers',
    entities: [
      standardEntity('c_Item', { attributes: { name: string(20), cost: decimal(9, 2) }, instanceName: ['name'] }),
    ],
    roles: [
      resourceRole('viewer', {
        name: 'Viewer',
        childRoles: ['rest-minimal'],
        policies: [entityPolicy('c_Item', 'read'), viewAttributes('c_Item', 'name')],
      }),
    ],
    services: [serviceUpstream('c_Remote', upstreamUrl), serviceUpstream('c_Gone', 'http://127.0.0.1:9')],
    controllers: [
      controller('GET', '/rest/shop/public/ping', () => ({ body: 'pong' })),
      controller('GET', '/rest/shop/whoami', ({ username, locale }) => ({ body: { username, locale } })),
      controller(
        'POST',
        '/rest/shop/echo/:first/:second',
        async ({ parameters, query, headers, body, method, path }) => ({
          status: 201,
          headers: { 'X-Kind': headers.get('x-kind') ?? 'none' },
          body: { method, path, parameters, q: query.getAll('q'), body: Buffer.from(await body()).toString() },
        }),
      ),
      controller('/rest/shop/any', ({ method }) => ({ headers: { 'content-type': 'text/csv' }, body: `a;${method}` })),
      controller('GET', '/rest/shop/bytes', () => ({ body: new Uint8Array([1, 2]) })),
      controller('DELETE', '/rest/shop/nothing', () => ({})),
      controller('GET', '/rest/shop/items/:id', async ({ parameters, query, data, serializer }) => {
        const item = await data.unconstrained().load('c_Item', parameters['id']);
        if (item === undefined) throw new RestError(404, 'Item not found');
        const json = serializer.toJson('c_Item', item, { skipDenied: query.get('skip') === 'true' });
        return { headers: { 'content-type': 'application/json' }, body: json };
      }),
      controller('GET', '/rest/shop/loaded/:id', async ({ parameters, data, serializer }) => ({
        headers: { 'content-type': 'application/json' },
        body: serializer.toJson('c_Item', await data.load('c_Item', parameters['id'])),
      })),
      controller('GET', '/rest/shop/bug', () => {
        throw new Error('secret');
      }),
      controller('GET', '/protected/:name', ({ parameters, username }) => ({ body: { ...parameters, username } })),
      controller('GET', '/beside/:name', ({ parameters, username }) => ({ body: { ...parameters, username } })),
      fromExpress('/rest/shop/legacy', legacy),
      upstreamRoute('/rest/shop/remote', upstreamUrl),
    ],
  });
};

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  fixture = await startData(application(), USERS, {
    'svc.rest.anonymous-url-patterns': '/rest/shop/public/**, /protected/open',
    'svc.rest.authenticated-url-patterns': '/protected/**',
  });
});
afterAll(async () => {
  await fixture.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

const get = (user: string | undefined, path: string) => fixture.send(user, 'GET', `/shop/${path}`);

// Asserts contract/tokens.md#url-patterns.
test('a controller that matches an anonymous pattern is called as anonymous, all others need a token', async () => {
  expect((await get('anonymous', 'public/ping')).text).toBe('pong');
  expect((await get('anonymous', 'whoami')).status).toBe(401);
  expect((await get(undefined, 'whoami')).status).toBe(401);
  expect((await get('admin', 'whoami')).json()).toEqual({ username: 'admin', locale: 'en' });
});

// Asserts contract/controllers.md#controllers, contract/decisions.md#39, contract/roles.md#rest-enabled,
// contract/tokens.md#anonymous.
test('a controller below the API needs the permission to use it, unless its path is anonymous', async () => {
  expect((await get('nobody', 'whoami')).status).toBe(403);
  expect((await get('nobody', 'public/ping')).status).toBe(200);
});

// Asserts contract/controllers.md#controllers.
test('a controller receives path, parameters, query, headers and body, and sets status and headers', async () => {
  const response = await fixture.send('admin', 'POST', '/shop/echo/a%20b/c?q=1&q=2', 'text', { 'x-kind': 'k' });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-kind')).toBe('k');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.json()).toEqual({
    method: 'POST',
    path: '/rest/shop/echo/a%20b/c',
    parameters: { first: 'a b', second: 'c' },
    q: ['1', '2'],
    body: 'text',
  });
});

test('a controller without a method serves all HTTP methods', async () => {
  for (const method of ['GET', 'PUT', 'PATCH']) {
    const response = await fixture.send('admin', method, '/shop/any');
    expect([response.headers.get('content-type'), response.text]).toEqual(['text/csv', `a;${method}`]);
  }
});

// Asserts contract/controllers.md#controllers.
test('a controller may return a text, bytes or nothing', async () => {
  expect((await get('admin', 'public/ping')).headers.get('content-type')).toBe('text/plain;charset=UTF-8');
  expect((await get('admin', 'bytes')).headers.get('content-type')).toBe('application/octet-stream');
  expect((await fixture.send('admin', 'DELETE', '/shop/nothing')).status).toBe(204);
});

// Asserts contract/controllers.md#controllers.
test('another method returns 405 with Allow; an unknown path of the API returns 404 with a token and 401 without', async () => {
  const response = await fixture.send('admin', 'POST', '/shop/whoami');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await get('admin', 'unknown')).json().error).toBe('Not found');
  expect((await get(undefined, 'unknown')).status).toBe(401);
});

// Asserts contract/controllers.md#controllers, contract/conventions.md#general-rules.
test('errors of controllers have the error form of the API; the response to a bug has no details', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  expect((await get('admin', `items/${id}`)).json()).toEqual({ error: 'Item not found', details: '' });
  const bug = await get('admin', 'bug');
  expect([bug.status, bug.json()]).toEqual([500, { error: 'Server error', details: '' }]);
});

// Asserts contract/roles.md#attributes, contract/roles.md#attributes-read.
test('the serializer writes only permitted attributes if denied ones are to be skipped', async () => {
  const { id } = (await fixture.send('admin', 'POST', '/entities/c_Item', { name: 'Cup', cost: 3 })).json();
  expect((await get('viewer', `items/${id}`)).json()).toMatchObject({ name: 'Cup', cost: 3 });
  expect((await get('viewer', `items/${id}?skip=true`)).json()).toEqual({
    _entityName: 'c_Item',
    _instanceName: 'Cup',
    id,
    name: 'Cup',
  });
});

test('the serializer writes null for a missing instance', async () => {
  const response = await get('admin', 'loaded/00000000-0000-4000-8000-000000000001');
  expect([response.status, response.json()]).toEqual([200, null]);
});

test('the query of a controller keeps its question marks', async () => {
  const response = await fixture.send('admin', 'POST', '/shop/echo/a/b?q=why?&q=x?y');
  expect(response.json().q).toEqual(['why?', 'x?y']);
});

// Asserts contract/controllers.md#controllers.
test('a router of Express is mounted at its path, after the same checks, with the context of the caller', async () => {
  const response = await get('viewer', 'legacy/hello');
  expect([response.status, response.text]).toEqual([203, 'hello viewer']);
  expect((await get('nobody', 'legacy/hello')).status).toBe(403);
  expect((await get('viewer', 'legacy/other')).status).toBe(404);
});

// Asserts contract/controllers.md#controllers, contract/decisions.md#38, contract/decisions.md#39,
// contract/tokens.md#url-patterns.
test('a controller outside of the API needs a token, but no permission', async () => {
  const send = (user?: string) =>
    fetch(`${fixture.url}/beside/x`, user === undefined ? {} : { headers: { authorization: `Bearer ${user}` } });
  expect((await send()).status).toBe(401);
  expect((await send('anonymous')).status).toBe(401);
  expect(await (await send('nobody')).json()).toEqual({ name: 'x', username: 'nobody' });
});

// Asserts contract/decisions.md#68.
test('a controller that matches a protected pattern needs the permission to use the API, unless its path is anonymous', async () => {
  const status = async (name: string, user?: string) =>
    (
      await fetch(
        `${fixture.url}/protected/${name}`,
        user === undefined ? {} : { headers: { authorization: `Bearer ${user}` } },
      )
    ).status;
  expect(await Promise.all([status('x'), status('x', 'nobody'), status('x', 'viewer')])).toEqual([401, 403, 200]);
  expect(await Promise.all([status('open', 'anonymous'), status('open', 'nobody')])).toEqual([200, 200]);
});

// Asserts contract/controllers.md#controllers.
test('an upstream of the application receives path, query, body and the verified token, and its response is forwarded', async () => {
  const response = await fixture.send('viewer', 'PUT', '/shop/remote/deep/path?a=1', 'body');
  expect([response.status, response.headers.get('x-upstream')]).toEqual([202, 'yes']);
  expect(response.json()).toEqual({
    method: 'PUT',
    url: '/rest/shop/remote/deep/path?a=1',
    token: 'Bearer viewer',
    body: 'body',
  });
  expect((await fixture.send('nobody', 'GET', '/shop/remote/x')).status).toBe(403);
});

test('an upstream may respond before it has read the body, and large bodies are forwarded', async () => {
  const early = await fixture.send('viewer', 'POST', '/shop/remote/early', 'x'.repeat(3_000_000));
  expect([early.status, early.text]).toEqual([413, 'too much']);
  const large = await fixture.send('viewer', 'POST', '/shop/remote/large', 'x'.repeat(3_000_000));
  expect(large.json().body).toHaveLength(3_000_000);
});

test('an upstream that closes the connection returns 502', async () => {
  const response = await fixture.send('viewer', 'GET', '/shop/remote/broken');
  expect([response.status, response.json().error]).toEqual([502, 'Bad gateway']);
});

// Asserts contract/controllers.md#controllers.
test('a service may be one of an upstream: it is listed, called after the same checks, and 503 if it is down', async () => {
  const names = (await fixture.send('viewer', 'GET', '/services')).json().map(({ name }: { name: string }) => name);
  expect(names).toEqual(['c_Remote', 'c_Gone']);
  const response = await fixture.send('viewer', 'GET', '/services/c_Remote/total?a=1');
  expect(response.json()).toMatchObject({ method: 'GET', url: '/rest/services/c_Remote/total?a=1' });
  expect((await fixture.send('nobody', 'GET', '/services/c_Remote/total')).status).toBe(403);
  for (const body of [undefined, 'x'.repeat(2_000_000)]) {
    const down = await fixture.send('viewer', body === undefined ? 'GET' : 'POST', '/services/c_Gone/total', body);
    expect([down.status, down.json().error]).toEqual([503, 'Service unavailable']);
  }
});
