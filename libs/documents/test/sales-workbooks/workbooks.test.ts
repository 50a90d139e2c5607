import { readFileSync, writeFileSync } from 'node:fs';
import { type WorkbookDefinition, workbook } from '../drawn-workbook.ts';
import { PRICE_LIST } from './price-list.ts';
import { SALES_BY_CUSTOMER } from './sales-by-customer.ts';
import { STOCK_CROSS_TABLE } from './stock-cross-table.ts';
import { TEN_COLUMNS } from './ten-columns.ts';

const SALES = 'examples/sales/resources/reports';

/** `LINTEL_WRITE_TEMPLATES=1` makes the files again. */
test.each<[string, WorkbookDefinition]>([
  [`${SALES}/sales-by-customer`, SALES_BY_CUSTOMER],
  [`${SALES}/stock-cross-table`, STOCK_CROSS_TABLE],
  [`${SALES}/price-list`, PRICE_LIST],
  ['bench/src/reports/ten-columns', TEN_COLUMNS],
])('the template %s.xlsx is the one that its definition makes', (name, definition) => {
  const file = new URL(`../../../../${name}.xlsx`, import.meta.url);
  const made = workbook(definition);
  if (process.env['LINTEL_WRITE_TEMPLATES'] === '1') writeFileSync(file, made);
  expect(readFileSync(file).equals(made)).toBe(true);
});
