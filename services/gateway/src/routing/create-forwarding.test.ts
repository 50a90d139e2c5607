import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { callerKeyOf } from '@lintel/contracts';
import type { Identity } from '../identity/token-cache.ts';
import { createForwarding, type ForwardingDeps, routeOf } from './create-forwarding.ts';
import type { Route } from './routes.ts';

/** A client that requests a feed; the test decides when its token has been checked. */
function setUp() {
  const known = Promise.withResolvers<Identity>();
  const counts = { asked: 0, forwarded: 0 };
  const waiting = new Set<() => void>();
  const deps = {
    identifyDeps: {
      tokens: {
        identityOf() {
          counts.asked += 1;
          return known.promise;
        },
        whenEnded(callback: () => void) {
          waiting.add(callback);
          return () => waiting.delete(callback);
        },
      },
      isAnonymousUrl: () => false,
      acceptsTokenParameter: false,
    },
    proxies: {
      streams: {
        async forward() {
          counts.forwarded += 1;
        },
      },
    },
    forwardedOf: () => ({ address: '127.0.0.1' }),
    streamCheckIntervalMs: 3_600_000,
    load: { assertFree() {} },
    bodyTimeoutMs: 1_000,
  } as unknown as ForwardingDeps;
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const url = '/rest/changes/t_A';
  const request = {
    complete: true,
    url,
    method: 'GET',
    headers: { authorization: 'Bearer opaque' },
  };
  const route: Route = {
    template: '/rest/changes/**',
    upstream: 'data',
    tokens: 'exchange',
    silenceMs: 1_000,
    isStream: true,
    matches: () => true,
  };
  const forwarded = createForwarding(deps)(
    route,
    request as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    () => {},
  );
  const identify = async (): Promise<void> => {
    known.resolve({
      jwt: 'h.p.s',
      username: 'clerk',
      caller: callerKeyOf({ kind: 'user', username: 'clerk' }),
      clientId: 'client',
      sessionId: 's',
    });
    await forwarded;
  };
  return { response, counts, waiting, identify };
}

test('for a client that disconnects before its token is checked, nothing is forwarded', async () => {
  const { response, counts, waiting, identify } = setUp();
  response.destroy();
  response.emit('close');
  await identify();
  expect([counts, waiting.size]).toEqual([{ asked: 1, forwarded: 0 }, 0]);
});

test('for a client that disconnects later, the checks of its token end', async () => {
  const { response, counts, waiting, identify } = setUp();
  await identify();
  expect([counts, waiting.size]).toEqual([{ asked: 1, forwarded: 1 }, 1]);
  for (const ended of waiting) ended();
  expect(counts.asked).toBe(2);
  response.emit('close');
  expect(waiting.size).toBe(0);
});

test('an overloaded process refuses requests before anything is done for them, and lets logins in', async () => {
  const forwarded: string[] = [];
  const routeTo = (upstream: 'auth' | 'data'): Route => ({
    template: `/${upstream}/**`,
    upstream,
    tokens: 'pass',
    silenceMs: 1_000,
    matches: (path: string) => path.startsWith(`/${upstream}`),
  });
  const proxyOf = (name: string) => ({ forward: async () => void forwarded.push(name) });
  const routes = [routeTo('auth'), routeTo('data')];
  const forward = createForwarding({
    load: {
      assertFree() {
        throw new Error('overloaded');
      },
    },
    identifyDeps: { acceptsTokenParameter: false },
    requests: { beginOfAddress: () => () => undefined },
    slowReaders: { watch: () => undefined, forget: () => undefined },
    forwardedOf: () => ({ address: '127.0.0.1', for: '127.0.0.1', proto: 'http', host: 'x' }),
    proxies: { of: { auth: proxyOf('auth'), data: proxyOf('data') } },
  } as unknown as ForwardingDeps);
  const send = async (path: string) => {
    const request = { url: path, method: 'GET', headers: {}, complete: true } as unknown as IncomingMessage;
    await forward(
      routeOf(routes, path) as Route,
      request,
      new ServerResponse(new IncomingMessage(new Socket())),
      () => {},
    );
  };
  await expect(send('/data/x')).rejects.toThrow('overloaded');
  await send('/auth/token');
  expect(forwarded).toEqual(['auth']);
});
