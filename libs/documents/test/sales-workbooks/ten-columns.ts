import type { WorkbookDefinition } from '../drawn-workbook.ts';
import { STYLE, STYLES } from './styles.ts';

const COLUMNS = ['name', 'sku', 'number', 'price', 'sum', 'day', 'moment', 'isPaid', 'city', 'notes'];
const STYLED: Readonly<Record<string, number>> = { price: STYLE.money, sum: STYLE.money, number: STYLE.number };

/** What the benchmark of reports fills: ten columns, with a sum below. */
export const TEN_COLUMNS: WorkbookDefinition = {
  styles: STYLES,
  names: { Header: 'Rows!$A$1:$J$1', Rows: 'Rows!$A$2:$J$2', Footer: 'Rows!$A$3:$J$3' },
  sheets: [
    {
      name: 'Rows',
      cells: {
        ...Object.fromEntries(
          COLUMNS.flatMap((name, index) => {
            const letter = String.fromCharCode(65 + index);
            const style = STYLED[name] ?? STYLE.text;
            return [
              [`${letter}1`, { value: name, style: STYLE.head }],
              [`${letter}2`, { value: `\${${name}}`, style }],
            ];
          }),
        ),
        E3: { value: '=SUM(E2:E2)', style: STYLE.totalMoney },
      },
    },
  ],
};
