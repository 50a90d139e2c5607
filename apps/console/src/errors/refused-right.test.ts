import { refusedRight } from './refused-right.ts';

test.each([
  ['Reading of the sales_Order is forbidden', { entityName: 'sales_Order', action: 'read' }],
  ['Updating of the report_Report is forbidden', { entityName: 'report_Report', action: 'update' }],
  ['User is not allowed to manage clients', undefined],
  ['Reading of the attribute sales_Order.total is forbidden', undefined],
])('%s', (details, right) => expect(refusedRight(details)).toEqual(right));
