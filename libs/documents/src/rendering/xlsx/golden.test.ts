import { readFileSync, writeFileSync } from 'node:fs';
import { CROSS, ORDERS, type WorkbookCase } from '../../../test/workbooks.ts';
import { renderWorkbook } from '../../../test/xlsx-result.ts';

/** `LINTEL_WRITE_GOLDEN=1` writes the files again; what changed is to be read. */
// Asserts contract/report-templates.md#templates.
test.each<[string, WorkbookCase]>([
  ['orders', ORDERS],
  ['cross', CROSS],
])('the workbook of %s has the parts of its golden file', async (name, { template, root }) => {
  const { parts } = await renderWorkbook(template, root);
  const text = [...parts]
    .filter(([part]) => !/styles|sharedStrings|\.rels$|Content_Types/.test(part))
    .map(([part, bytes]) => `=== ${part}\n${new TextDecoder().decode(bytes).replaceAll(/></g, '>\n<')}\n`)
    .join('');
  const file = new URL(`../../../test/golden/${name}.txt`, import.meta.url);
  if (process.env['LINTEL_WRITE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});
