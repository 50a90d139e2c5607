import type { EntityChange, ListenerContext } from '@lintel/application';
import { reportListeners } from './report-listeners.ts';

const [listener] = reportListeners({ reports: [{ code: 'in-code' }, {}] as never });
const save = (after: EntityChange['after'], permissions: readonly string[] = [], before?: EntityChange['before']) =>
  listener?.beforeSave?.(
    { entity: 'report_Report', id: '1', change: 'created', before, after, withChildren: false },
    {
      username: 'admin',
      isDryRun: false,
      hasSpecific: (name) => permissions.includes(name),
      message: (key) => key,
      data: {} as ListenerContext['data'],
    },
  );
const definition = (dataSet: object): string => JSON.stringify({ bands: [{ name: 'A', dataSets: [dataSet] }] });
const SQL = definition({ kind: 'sql', name: 's', sql: 'select 1' });
const QUERY = definition({ kind: 'query', name: 'q', query: 'select o from sales_Order o' });

// Asserts contract/report-templates.md#safety.
test('SQL is saved by who has the permission only', async () => {
  await expect(save({ code: 'a', definition: SQL })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await save({ code: 'a', definition: SQL }, ['reports.sql.edit']);
  await save({ code: 'a', definition: QUERY });
});

test('users with the right to update change a report with SQL, except its SQL', async () => {
  await save({ code: 'b', definition: SQL }, [], { code: 'a', definition: SQL });
  const other = definition({ kind: 'sql', name: 's', sql: 'select 2' });
  await expect(save({ definition: other }, [], { definition: SQL })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
});

// Asserts contract/writing.md#validation.
test('the code of a report of the application is refused, in the language of the caller', async () => {
  await expect(save({ code: 'in-code', definition: QUERY })).rejects.toMatchObject({
    items: [
      {
        path: 'code',
        message: 'lintel.validation.ReportCodeTaken.message',
        messageTemplate: '{lintel.validation.ReportCodeTaken.message}',
        invalidValue: 'in-code',
      },
    ],
  });
});

// Asserts contract/decisions.md#65, contract/reports.md#report-info.
test('a report without a code is saved, beside one of the application without a code', async () => {
  await save({ code: null, definition: QUERY });
  await save({ definition: QUERY });
});
