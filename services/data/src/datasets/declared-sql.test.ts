import type { ReportBand } from '@lintel/application';
import { createDeclaredSql } from './declared-sql.ts';

const band = (sql: string): ReportBand => ({
  name: 'A',
  bands: [{ name: 'B', dataSets: [{ kind: 'sql', name: 's', sql }] }],
});

test('the SQL of reports in code and in the database is declared, and no other', async () => {
  const stored = [JSON.stringify({ bands: [band('select 2')] }), '{"bands":"sql"}', JSON.stringify({ bands: [] })];
  let queried = 0;
  const isDeclared = createDeclaredSql(
    [{ id: '1', code: 'a', name: 'A', restAccess: true, templates: [], bands: [band('select 1')] }],
    {
      async query<R extends object>() {
        queried += 1;
        return stored.map((definition) => ({ definition })) as unknown as readonly R[];
      },
    },
  );
  expect(await isDeclared('select 1')).toBe(true);
  expect(queried).toBe(0);
  expect(await isDeclared('select 2')).toBe(true);
  expect(await isDeclared('select 2 ')).toBe(false);
  stored.shift();
  expect(await isDeclared('select 2')).toBe(false);
});
