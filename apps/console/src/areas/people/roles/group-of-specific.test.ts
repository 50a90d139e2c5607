import { groupOfSpecific } from './group-of-specific.ts';

test.each([
  ['rest.enabled', 'endpoints'],
  ['rest.fileUpload.enabled', 'files'],
  ['reports.sql.edit', 'reports'],
  ['api-keys.create', 'people'],
  ['dead-letters.manage', 'operation'],
  ['history.read.sales_Order', 'data'],
  ['events.read', 'operation'],
  ['sales.discount.approve', 'application'],
  ['*', 'application'],
])('%s is of the group %s', (name, group) => expect(groupOfSpecific(name)).toBe(group));
