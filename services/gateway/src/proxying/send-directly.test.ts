import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ResponseHandler } from '@lintel/http-client/kept-connections';
import type { Exchange } from './exchange.ts';
import { createDirectTransport, type DirectOptions } from './send-directly.ts';

/** A request on a connection that is still being opened. */
function setUp() {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/rest/userInfo' });
  const response = new ServerResponse(request);
  const counts = { discarded: 0, released: 0 };
  let handler: ResponseHandler = {};
  const connection = {
    client: {
      dispatch(_options: unknown, given: ResponseHandler) {
        handler = given;
      },
    },
    isKept: false,
  };
  const connections = {
    take: () => connection,
    discard() {
      counts.discarded += 1;
    },
  };
  const exchange = {
    ...{ request, response, silenceMs: 1_000, attempts: 1, sent: 0 },
    lease: {
      replica: { connections },
      release() {
        counts.released += 1;
      },
    },
  } as unknown as Exchange;
  void createDirectTransport({ connectTimeoutMs: 1_000 } as DirectOptions)(exchange);
  return { response, exchange, counts, fail: (error: Error) => handler.onResponseError?.(undefined as never, error) };
}

test('a connection that is still being opened is closed when its client disconnects', () => {
  const { response, exchange, counts, fail } = setUp();
  response.destroy();
  response.emit('close');
  expect(counts.discarded).toBe(1);
  fail(new Error('destroyed'));
  expect([counts.released, exchange.wasConnected]).toEqual([1, undefined]);
});
