import { callerKeyOf } from '@lintel/contracts';
import { createConcurrentRequests } from './concurrent-requests.ts';

const ADA = { caller: callerKeyOf({ kind: 'user', username: 'ada' }), clientId: 'shop' };
/** A client that has the name of a user is another caller. */
const BOB = { caller: callerKeyOf({ kind: 'client', username: 'ada' }), clientId: 'shop' };
const create = (limits: Partial<Parameters<typeof createConcurrentRequests>[0]> = {}) =>
  createConcurrentRequests({ user: 2, client: undefined, address: 1, incompleteBodies: 1, ...limits });

const REFUSED = { code: 'REQ_TOO_MANY_REQUESTS', headers: { 'Retry-After': '1' } };
const errorOf = (begin: () => unknown): unknown => {
  try {
    begin();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('a user has a limited number of requests at a time, other users have the same limit', () => {
  const requests = create();
  const ends = [requests.beginOfCaller(ADA), requests.beginOfCaller(ADA)];
  expect(errorOf(() => requests.beginOfCaller(ADA))).toMatchObject({
    ...REFUSED,
    details: 'The user has 2 requests that are being processed; try again later',
  });
  requests.beginOfCaller(BOB);
  ends[0]?.();
  expect(errorOf(() => requests.beginOfCaller(ADA))).toBeUndefined();
});

test('what the limit of a client refuses does not count for its user', () => {
  const requests = create({ client: 1 });
  const end = requests.beginOfCaller(ADA);
  expect(errorOf(() => requests.beginOfCaller(BOB))).toMatchObject(REFUSED);
  end();
  requests.beginOfCaller(BOB)();
  requests.beginOfCaller(BOB)();
});

test('addresses of one network share a limit, and incomplete bodies have their own', () => {
  const requests = create();
  requests.beginOfAddress('2001:db8::1');
  expect(errorOf(() => requests.beginOfAddress('2001:db8::2'))).toMatchObject(REFUSED);
  requests.beginOfAddress('192.0.2.1');
  requests.beginOfAddress('192.0.2.2');
  const end = requests.beginBody('192.0.2.1');
  expect(errorOf(() => requests.beginBody('192.0.2.1'))).toMatchObject({
    details: 'The address has 1 requests whose body has not arrived; try again later',
  });
  end();
  requests.beginBody('192.0.2.1');
});
