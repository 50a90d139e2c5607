import { ForbiddenError } from '@lintel/client';
import { refusedRight } from './refused-right.ts';

const refusal = (details: string, neededPolicy?: string): ForbiddenError =>
  new ForbiddenError({
    status: 403,
    code: 'ACCESS_DENIED',
    error: 'Forbidden',
    details,
    body: undefined,
    traceId: undefined,
    neededPolicy,
    retryAfterMs: undefined,
  });

test.each([
  ['Reading of the sales_Order is forbidden', { entityName: 'sales_Order', action: 'read' }],
  ['Updating of the report_Report is forbidden', { entityName: 'report_Report', action: 'update' }],
  ['User is not allowed to manage clients', undefined],
  ['Reading of the attribute sales_Order.total is forbidden', undefined],
])('%s', (details, right) => expect(refusedRight(refusal(details))).toEqual(right));

test('a specific policy is the one that the service names', () => {
  expect(refusedRight(refusal('User is not allowed to manage clients', 'clients.manage'))).toEqual({
    specific: 'clients.manage',
  });
});

test('another error is about no right', () => {
  expect(refusedRight(new Error('Reading of the sales_Order is forbidden'))).toBeUndefined();
});
