import { PlatformError } from '@lintel/errors';
import { safeReason } from './safe-reason.ts';

test('an outage without a code of the driver says that the backend does not respond', () => {
  const cause = new Error('There is no connection to redis.example:6379');
  expect(safeReason(new PlatformError('DATA_UNAVAILABLE', '', { cause }))).toBe('it does not respond');
});

test('the code of the driver is more exact', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
  expect(safeReason(new PlatformError('DATA_UNAVAILABLE', '', { cause }))).toBe('connection refused');
});
