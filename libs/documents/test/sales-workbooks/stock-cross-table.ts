// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { WorkbookDefinition } from '../drawn-workbook.ts';
import { FIT_TO_PAGE, frozenBelow, printed, STYLE, STYLES } from './styles.ts';

const { title, head, headRight, text, number } = STYLE;

/** Products down, warehouses to the right; what is missing is red. */
export const STOCK_CROSS_TABLE: WorkbookDefinition = {
  styles: STYLES,
  names: {
    Title: 'Stock!$A$1:$B$2',
    Stock_header: 'Stock!$A$3:$B$3',
    Stock_dynamic_header: 'Stock!$C$3',
    Stock_master_data: 'Stock!$A$4:$B$4',
    Stock: 'Stock!$C$4',
    '_xlnm.Print_Titles': 'Stock!$3:$3',
  },
  sheets: [
    {
      name: 'Stock',
      head: FIT_TO_PAGE + frozenBelow(3),
      widths: [12, 28, 12],
      heights: { 1: 26, 2: 8, 3: 18, 4: 16 },
      cells: {
        A1: { value: 'Stock movements by warehouse', style: title },
        A3: { value: 'SKU', style: head },
        B3: { value: 'Product', style: head },
        C3: { value: '${name}', style: headRight },
        A4: { value: '${sku}', style: text },
        B4: { value: '${name}', style: text },
        C4: { value: '${quantity}', style: number },
      },
      tail:
        '<conditionalFormatting sqref="C4"><cfRule type="cellIs" dxfId="0" priority="1" operator="lessThan"><formula>0</formula>' +
        `</cfRule></conditionalFormatting>${printed('portrait', 'Stock by warehouse')}`,
    },
  ],
};
