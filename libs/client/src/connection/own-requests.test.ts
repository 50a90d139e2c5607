import type { ResponseLike } from '../platform.ts';
import { createOwnRequests } from './own-requests.ts';

const responseOf = (trace?: string): ResponseLike =>
  ({ headers: new Headers(trace === undefined ? {} : { 'x-trace-id': trace }) }) as unknown as ResponseLike;

test('a request is known by the trace of its response, also of an error', async () => {
  const requests = createOwnRequests();
  await requests.during(async (respond) => respond(responseOf('a')));
  await expect(
    requests.during(async (respond) => {
      respond(responseOf('b'));
      throw new Error('refused');
    }),
  ).rejects.toThrow('refused');
  await requests.during(async (respond) => respond(responseOf()));
  expect(await Promise.all(['a', 'b', 'c'].map(requests.made))).toEqual([true, true, false]);
});

test('a trace that arrives before the response of its request waits for it, and for no later request', async () => {
  const requests = createOwnRequests();
  const first = Promise.withResolvers<void>();
  const running = requests.during(async (respond) => {
    await first.promise;
    respond(responseOf('a'));
  });
  const asked = [requests.made('a'), requests.made('of-another-tab')];
  const second = Promise.withResolvers<void>();
  const later = requests.during(() => second.promise);
  first.resolve();
  await running;
  expect(await Promise.all(asked)).toEqual([true, false]);
  second.resolve();
  await later;
});

test('the latest thousand are known', async () => {
  const requests = createOwnRequests();
  for (let at = 0; at < 1_001; at += 1) await requests.during(async (respond) => respond(responseOf(String(at))));
  expect(await Promise.all(['0', '1', '1000'].map(requests.made))).toEqual([false, true, true]);
});
