import type { ReportData, ReportRow } from '@lintel/application';
import { ORDER_INVOICE } from './order-invoice.ts';

const LINES: readonly ReportRow[] = [
  {
    position: 1,
    quantity: '3.000',
    price: '0.10',
    product: { name: 'Pen', sku: 'P-1' },
    discounts: [{ percent: '10.00' }, { percent: '50.00' }],
  },
  { position: 2, quantity: '1.500', price: '99999999999999.99', product: null, discounts: [] },
];

const data: ReportData = {
  async *load({ entity }) {
    yield* entity === 'sales_Order' ? [{ discount: '0.0500' }] : LINES;
  },
};

async function rowsOf(band: string) {
  const set = ORDER_INVOICE.bands.find(({ name }) => name === band)?.dataSets?.[0];
  if (set?.kind !== 'function') throw new Error(`${band} is not computed`);
  const rows = await Array.fromAsync(await set.rows({ order: { id: 'o' } }, data, {}));
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])));
}

test('lines have what is left after their discounts, exactly', async () => {
  expect((await rowsOf('Lines')).map(({ amount }) => amount)).toEqual(['0.14', '149999999999999.99']);
});

test('totals add up', async () => {
  expect(await rowsOf('Totals')).toEqual([
    { sum: '150000000000000.12', discount: '5.00', discountAmount: '7500000000000.01', amount: '142500000000000.11' },
  ]);
});
