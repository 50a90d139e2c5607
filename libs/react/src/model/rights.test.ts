import { createRights } from './rights.ts';

const rights = createRights({
  authorities: ['sales-clerk', 'row_level_role:own-region'],
  entities: [
    { target: 'sales_Order:read', value: 1 },
    { target: 'sales_Order:delete', value: 0 },
  ],
  entityAttributes: [
    { target: 'sales_Order:number', value: 1 },
    { target: 'sales_Order:notes', value: 2 },
    { target: 'sales_Order:amount', value: 0 },
  ],
  specifics: [
    { target: 'rest.fileUpload.enabled', value: 1 },
    { target: 'rest.fileDownload.enabled', value: 0 },
  ],
});

test('what the server does not grant is not permitted, nor what it does not mention', () => {
  expect((['read', 'delete', 'create'] as const).map((operation) => rights.may('sales_Order', operation))).toEqual([
    true,
    false,
    false,
  ]);
  expect(rights.may('sales_Other', 'read')).toBe(false);
  expect(['rest.fileUpload.enabled', 'rest.fileDownload.enabled', 'other'].map(rights.has)).toEqual([
    true,
    false,
    false,
  ]);
});

test('a read-only entity may be read alone, whatever is granted', () => {
  const entities = ['read', 'create', 'delete'].map((operation) => ({
    target: `erp_Log:${operation}`,
    value: 1 as const,
  }));
  const granted = { authorities: [], entities, entityAttributes: [], specifics: [] };
  const may = (readOnly: readonly string[]) =>
    (['read', 'create', 'delete'] as const).map((operation) =>
      createRights(granted, new Set(readOnly)).may('erp_Log', operation),
    );
  expect([may([]), may(['erp_Log'])]).toEqual([
    [true, true, true],
    [true, false, false],
  ]);
});

test.each([
  ['number', true, false],
  ['notes', true, true],
  ['amount', false, false],
  ['unknown', false, false],
])('the attribute %s may be viewed: %s, changed: %s', (attribute, view, modify) => {
  expect(rights.mayView('sales_Order', attribute)).toBe(view);
  expect(rights.mayModify('sales_Order', attribute)).toBe(modify);
});

test('roles are found by their codes', () => {
  expect(rights.hasRole('sales-clerk')).toBe(true);
  expect(rights.hasRole('sales-manager')).toBe(false);
});

test('a permission for a single job counts as one of its kind', () => {
  const specifics = [
    { target: 'jobs.read.nightly', value: 1 },
    { target: 'jobs.manage.nightly', value: 0 },
  ] as const;
  const single = createRights({ authorities: [], entities: [], entityAttributes: [], specifics });
  expect([single.has('jobs.read'), single.hasAny('jobs.read'), single.hasAny('jobs.manage')]).toEqual([
    ...[false, true, false],
  ]);
  expect(rights.hasAny('jobs.read')).toBe(false);
});
