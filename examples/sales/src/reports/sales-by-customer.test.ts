import type { ReportData, ReportParameters } from '@lintel/application';
import { SALES_BY_CUSTOMER } from './sales-by-customer.ts';

const order = (amount: string | null, id: string, name: string, grade: string | null = null) => ({
  amount,
  customer: { id, name, grade },
});

async function rowsFor(orders: readonly object[], parameters: ReportParameters) {
  const asked: unknown[] = [];
  const data: ReportData = {
    async *load(request) {
      asked.push(request.filter);
      yield* orders as readonly Record<string, unknown>[];
    },
  };
  const set = SALES_BY_CUSTOMER.bands[1]?.dataSets?.[0];
  if (set?.kind !== 'function') throw new Error('The report has no computed data set');
  const rows = await set.rows(parameters, data, {});
  return { asked, text: JSON.stringify(await Array.fromAsync(rows)) };
}

const PERIOD = { from: '2026-01-01', to: '2026-12-31', grade: null, minTotal: '0' };

test('orders are summed up exactly, the greatest sum first', async () => {
  const orders = [
    order('0.10', 'a', 'Aldi'),
    order('0.20', 'a', 'Aldi'),
    order('90071992547409.93', 'b', 'Beck', 'GOLD'),
    order(null, 'c', 'Carl'),
    { amount: '5.00', customer: null },
  ];
  const { asked, text } = await rowsFor(orders, PERIOD);
  expect(text).toBe(
    '[{"customer":"Beck","customerGrade":"GOLD","orders":1,"total":90071992547409.93},' +
      '{"customer":"Aldi","customerGrade":null,"orders":2,"total":0.30},{"customer":"Carl","customerGrade":null,"orders":1,"total":0.00}]',
  );
  expect(asked).toEqual([
    {
      conditions: [
        { property: 'date', operator: '>=', value: '2026-01-01' },
        { property: 'date', operator: '<=', value: '2026-12-31' },
      ],
    },
  ]);
});

test('the grade is part of the filter, the least total is compared with the sum', async () => {
  const orders = [
    order('60.00', 'a', 'Aldi', 'GOLD'),
    order('40.00', 'a', 'Aldi', 'GOLD'),
    order('99.99', 'b', 'Beck', 'GOLD'),
  ];
  const { asked, text } = await rowsFor(orders, { ...PERIOD, grade: 'GOLD', minTotal: '100' });
  expect(text).toBe('[{"customer":"Aldi","customerGrade":"GOLD","orders":2,"total":100.00}]');
  expect(JSON.stringify(asked)).toContain('{"property":"customer.grade","operator":"=","value":"GOLD"}');
});
