// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { WorkbookDefinition } from '../drawn-workbook.ts';
import { FIT_TO_PAGE, frozenBelow, printed, STYLE, STYLES } from './styles.ts';

const { title, head, headRight, text, number, money, total, totalNumber } = STYLE;

/** One row for each product, however many there are. */
export const PRICE_LIST: WorkbookDefinition = {
  styles: STYLES,
  names: {
    Header: "'Price list'!$A$1:$D$3",
    Products: "'Price list'!$A$4:$D$4",
    Footer: "'Price list'!$A$5:$D$5",
    '_xlnm.Print_Titles': "'Price list'!$3:$3",
  },
  sheets: [
    {
      name: 'Price list',
      head: FIT_TO_PAGE + frozenBelow(3),
      widths: [34, 14, 14, 12],
      heights: { 1: 26, 2: 8, 3: 18, 4: 16, 5: 18 },
      merges: ['A1:D1'],
      cells: {
        A1: { value: 'Price list', style: title },
        A3: { value: 'Product', style: head },
        B3: { value: 'SKU', style: head },
        C3: { value: 'Price', style: headRight },
        D3: { value: 'In stock', style: headRight },
        A4: { value: '${name}', style: text },
        B4: { value: '${sku}', style: text },
        C4: { value: '${price}', style: money },
        D4: { value: '${stock}', style: number },
        A5: { value: '=COUNTA(B4:B4)&" products"', style: total },
        B5: { value: '', style: total },
        C5: { value: '', style: total },
        D5: { value: '=SUM(D4:D4)', style: totalNumber },
      },
      tail: printed('portrait', 'Price list'),
    },
  ],
};
