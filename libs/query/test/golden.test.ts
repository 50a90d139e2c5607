import { goldenFiles } from './golden-cases.ts';
import { compileRequest } from './run-stages.ts';

describe.each(goldenFiles())('statements of $file', ({ cases }) => {
  test.each(cases)('$title', ({ request, access, sql, values }) => {
    const statement = compileRequest(request, access);
    expect(statement.text).toBe(sql);
    expect(statement.values).toEqual(values);
  });
});
