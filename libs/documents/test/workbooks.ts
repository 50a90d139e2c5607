// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import type { BandData } from '../src/bands/band-data.ts';
import { bandTree, rowsOf } from './band-tree.ts';
import type { WorkbookDefinition } from './drawn-workbook.ts';

/** A template with data that fill it. */
export interface WorkbookCase {
  readonly template: WorkbookDefinition;
  readonly root: BandData;
}

const DATE = (text: string) => ({ kind: 'temporal', temporal: 'date', text });
const STYLES = [{}, { bold: true, border: 'bottom' }, { format: 'yyyy-mm-dd' }, { format: '#,##0.00' }] as const;

/** Customers, their orders and the lines of those, with sums on each level, a chart and two sheets. */
export const ORDERS: WorkbookCase = {
  template: {
    styles: STYLES,
    names: {
      Head: 'Orders!$A$1:$E$2',
      Customer: 'Orders!$A$3:$E$3',
      Order: 'Orders!$B$4:$E$4',
      Line: 'Orders!$C$5:$E$5',
      OrderSum: 'Orders!$C$6:$E$6',
      CustomerSum: 'Orders!$A$7:$E$7',
      Total: 'Orders!$A$9:$E$9',
      Notes: 'Notes!$A$1:$B$1',
      Orders_list: 'Orders!$A$2:$E$9',
    },
    sheets: [
      {
        name: 'Orders',
        head: '<sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
        widths: [20, 12, 24, 12, 12],
        heights: { 1: 24, 3: 20 },
        merges: ['A1:E1', 'A3:E3'],
        cells: {
          A1: { value: 'Orders of ${Root.year}', style: 1 },
          A2: 'Customer',
          B2: 'Date',
          C2: 'Product',
          D2: 'Quantity',
          E2: 'Amount',
          A3: { value: '${name}', style: 1 },
          B4: { value: '${date}', style: 2 },
          C4: '${number}',
          C5: '${product}',
          D5: '${quantity}',
          E5: { value: '=D5*${price}', style: 3 },
          C6: 'Sum',
          E6: { value: '=SUBTOTAL(9,E5:E5)', style: 3 },
          A7: '="Sum of "&A3',
          E7: { value: '=SUBTOTAL(9,E5)', style: 3 },
          A9: { value: 'Total', style: 1 },
          D9: '=SUM(D5:D5)',
          E9: { value: '=SUBTOTAL(9,E5:E5)', style: 3 },
        },
        tail:
          '<conditionalFormatting sqref="E5"><cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>100</formula></cfRule></conditionalFormatting>' +
          '<hyperlinks><hyperlink ref="C5" location="Notes!A1"/></hyperlinks><headerFooter><oddFooter>&amp;C${Root.year}</oddFooter></headerFooter>',
        drawing: {
          charts: [
            {
              kind: 'col',
              title: 'Amounts',
              categories: 'Orders!$C$5:$C$5',
              values: 'Orders!$E$5:$E$5',
              from: [6, 1],
              to: [12, 16],
            },
          ],
        },
      },
      { name: 'Notes', cells: { A1: '${text}', B1: '=Orders!E9' } },
    ],
  },
  root: bandTree(
    {
      Head: [{}],
      Customer: [
        {
          fields: { name: 'Aldi & Söhne' },
          below: {
            Order: [
              {
                fields: { date: DATE('2026-01-31'), number: 'A-1' },
                below: {
                  Line: rowsOf(
                    { product: 'Pen', quantity: 3, price: 1.25 },
                    { product: '=Ink', quantity: 10, price: 12.5 },
                  ),
                  OrderSum: [{}],
                },
              },
              {
                fields: { date: DATE('2026-02-28'), number: 'A-2' },
                below: { Line: rowsOf({ product: 'Paper', quantity: 1, price: 5 }), OrderSum: [{}] },
              },
            ],
            CustomerSum: [{}],
          },
        },
        {
          fields: { name: 'Beck <GmbH>' },
          below: {
            Order: [
              {
                fields: { date: DATE('2026-03-01'), number: 'B-1' },
                below: { Line: rowsOf({ product: 'Pen', quantity: 2, price: 1.25 }), OrderSum: [{}] },
              },
            ],
            CustomerSum: [{}],
          },
        },
      ],
      Total: [{}],
      Notes: rowsOf({ text: 'first' }, { text: 'second' }),
    },
    { year: '2026' },
  ),
};

const vertical = (field: string, ...values: readonly unknown[]) =>
  values.map((value) => ({ fields: { [field]: value }, isVertical: true }));

/** A cross table with a colour scale over its cells. */
export const CROSS: WorkbookCase = {
  template: {
    styles: STYLES,
    names: { T_header: 'Stock!$A$1', T_dynamic_header: 'Stock!$B$1', T_master_data: 'Stock!$A$2', T: 'Stock!$B$2' },
    sheets: [
      {
        name: 'Stock',
        widths: [24, 9],
        cells: {
          A1: { value: 'Product', style: 1 },
          B1: { value: '${code}', style: 1 },
          A2: '${name}',
          B2: '${count}',
        },
        tail: '<conditionalFormatting sqref="B2"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="min"/><cfvo type="max"/><color rgb="FFFFFFFF"/><color rgb="FF63BE7B"/></colorScale></cfRule></conditionalFormatting>',
      },
    ],
  },
  root: bandTree({
    T_header: [{ below: { T_dynamic_header: vertical('code', 'N', 'S', 'W') } }],
    T_master_data: [
      { fields: { name: 'Pen' }, below: { T: vertical('count', 5, null, 7) } },
      { fields: { name: 'Ink' }, below: { T: vertical('count', 1, 2, 3) } },
    ],
  }),
};
