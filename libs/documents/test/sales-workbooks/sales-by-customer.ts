// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { WorkbookDefinition } from '../drawn-workbook.ts';
import { FIT_TO_PAGE, frozenBelow, printed, STYLE, STYLES } from './styles.ts';

const { title, subtitle, head, headRight, text, number, money, total, totalNumber, totalMoney } = STYLE;

/** Customers with the sum of their orders, a bar in each cell of the sums, and a chart of all of them. */
export const SALES_BY_CUSTOMER: WorkbookDefinition = {
  styles: STYLES,
  names: {
    Header: 'Sales!$A$1:$D$4',
    Customers: 'Sales!$A$5:$D$5',
    Totals: 'Sales!$A$6:$D$6',
    '_xlnm.Print_Titles': 'Sales!$4:$4',
  },
  sheets: [
    {
      name: 'Sales',
      head: FIT_TO_PAGE + frozenBelow(4),
      widths: [30, 12, 10, 16, 3],
      heights: { 1: 26, 3: 8, 4: 18, 5: 16, 6: 18 },
      merges: ['A1:D1', 'A2:D2'],
      cells: {
        A1: { value: 'Sales by customer', style: title },
        A2: { value: 'Orders from ${from} to ${to}', style: subtitle },
        A4: { value: 'Customer', style: head },
        B4: { value: 'Grade', style: head },
        C4: { value: 'Orders', style: headRight },
        D4: { value: 'Total', style: headRight },
        A5: { value: '${customer}', style: text },
        B5: { value: '${customerGrade}', style: text },
        C5: { value: '${orders}', style: number },
        D5: { value: '${total}', style: money },
        A6: { value: 'All customers', style: total },
        B6: { value: '', style: total },
        C6: { value: '=SUM(C5:C5)', style: totalNumber },
        D6: { value: '=SUM(D5:D5)', style: totalMoney },
      },
      tail:
        '<conditionalFormatting sqref="D5"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="num" val="0"/>' +
        `<cfvo type="max"/><color rgb="FF9DC3E6"/></dataBar></cfRule></conditionalFormatting>${printed('landscape', 'Sales by customer')}`,
      drawing: {
        charts: [
          {
            kind: 'bar',
            title: 'Total by customer',
            categories: 'Sales!$A$5:$A$5',
            values: 'Sales!$D$5:$D$5',
            from: [5, 3],
            to: [14, 34],
            color: '2E75B6',
          },
        ],
      },
    },
  ],
};
