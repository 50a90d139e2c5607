import { failureReason } from './failure-reason.ts';

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });

test('the reason is the message of the error', () => {
  expect(failureReason(refused('127.0.0.1:5432'))).toBe('connect ECONNREFUSED 127.0.0.1:5432');
});

test('of several refused addresses the first one is the reason', () => {
  const error = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')]);
  expect(failureReason(error)).toBe('connect ECONNREFUSED ::1:5432');
});

test('without any message, the code or the name is the reason', () => {
  expect(failureReason(Object.assign(new Error(''), { code: 'ECONNRESET' }))).toBe('ECONNRESET');
  expect(failureReason(new TypeError(''))).toBe('TypeError');
});
