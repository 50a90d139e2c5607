import { StreamLimiter } from './stream-limiter.ts';

test('streams are limited for each user and in total; a released one can be acquired again', () => {
  const limiter = new StreamLimiter({ max: 3, maxPerUser: 2 });
  const leave = limiter.acquire('a');
  limiter.acquire('a');
  expect(() => limiter.acquire('a')).toThrow(expect.objectContaining({ code: 'REQ_TOO_MANY_REQUESTS', status: 429 }));
  limiter.acquire('b');
  expect(() => limiter.acquire('b')).toThrow(expect.objectContaining({ code: 'DATA_UNAVAILABLE', status: 503 }));
  leave();
  limiter.acquire('b');
  expect(limiter.active).toBe(3);
});
