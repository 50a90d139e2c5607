import { callerKeyOf } from '@lintel/contracts';
import { StreamLimiter } from './stream-limiter.ts';

const A = callerKeyOf({ kind: 'user', username: 'a' });
/** A client that has the name of a user is another caller. */
const B = callerKeyOf({ kind: 'client', username: 'a' });

test('streams are limited for each user and in total; a released one can be acquired again', () => {
  const limiter = new StreamLimiter({ max: 3, maxPerUser: 2 });
  const leave = limiter.acquire(A);
  limiter.acquire(A);
  expect(() => limiter.acquire(A)).toThrow(expect.objectContaining({ code: 'REQ_TOO_MANY_REQUESTS', status: 429 }));
  limiter.acquire(B);
  expect(() => limiter.acquire(B)).toThrow(expect.objectContaining({ code: 'DATA_UNAVAILABLE', status: 503 }));
  leave();
  limiter.acquire(B);
  expect(limiter.active).toBe(3);
});
