import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { endWithToken } from './end-with-token.ts';
import type { TokenCache } from './token-cache.ts';

type Callback = Parameters<TokenCache['whenEnded']>[0];

function follow(sessionId?: string) {
  const callbacks = new Set<Callback>();
  const response = Object.assign(new EventEmitter(), { destroy: () => response.emit('close') });
  let checks = 0;
  const checkToken = async () => {
    checks += 1;
  };
  const tokens: Pick<TokenCache, 'whenEnded'> = {
    whenEnded(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
  };
  endWithToken(response as unknown as ServerResponse, checkToken, { tokens, intervalMs: 3_600_000, sessionId });
  const send = (...ended: Parameters<Callback>): number => {
    checks = 0;
    for (const callback of callbacks) callback(...ended);
    return checks;
  };
  return { send, callbacks, response };
}

test('the token of a stream is checked after every event', () => {
  const { send, callbacks, response } = follow();
  expect([send('all'), send(['hash']), send({ tags: ['s-2'] })]).toEqual([1, 1, 1]);
  response.emit('close');
  expect(callbacks.size).toBe(0);
});

test('the session of a ticket is checked after events about it only', () => {
  const { send } = follow('s-1');
  expect([send('all'), send(['hash']), send({ tags: ['s-2'] }), send({ tags: ['s-2', 's-1'] })]).toEqual([0, 0, 0, 1]);
});
