import { type ReportData, type ReportParameters, type ReportRow, report } from '@lintel/application';
import { ANALYTICS } from './groups.ts';

/** What moved of each product in each warehouse, summed up: products down, warehouses to the right. */
export const STOCK_CROSS_TABLE = report({
  id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b05',
  code: 'stock-cross-table',
  name: 'Stock by warehouse',
  group: ANALYTICS.id,
  restAccess: true,
  bands: [
    { name: 'Title' },
    {
      name: 'Stock',
      orientation: 'cross',
      dataSets: [
        {
          kind: 'entities',
          name: 'warehouses_dynamic_header',
          entity: 'sales_Warehouse',
          fetchPlan: { properties: ['code', 'name'] },
          sort: 'name',
        },
        {
          kind: 'entities',
          name: 'products_master_data',
          entity: 'sales_Product',
          fetchPlan: { properties: ['sku', 'name'] },
          sort: 'name',
        },
        { kind: 'function', name: 'quantities', rows: quantities },
      ],
    },
  ],
  templates: [{ code: 'DEFAULT', outputType: 'XLSX', default: true, file: 'reports/stock-cross-table.xlsx' }],
});

/** One row for each product and warehouse that have movements. */
async function quantities(_parameters: ReportParameters, data: ReportData): Promise<readonly ReportRow[]> {
  const sums = new Map<string, { readonly sku: string; readonly code: string; quantity: bigint }>();
  for await (const movement of data.load({
    entity: 'sales_StockMovement',
    fetchPlan: {
      properties: [
        'quantity',
        { name: 'product', fetchPlan: { properties: ['sku'] } },
        { name: 'warehouse', fetchPlan: { properties: ['code'] } },
      ],
    },
  })) {
    const sku = textOf(movement['product'], 'sku');
    const code = textOf(movement['warehouse'], 'code');
    const key = JSON.stringify([sku, code]);
    const sum = sums.get(key) ?? { sku, code, quantity: 0n };
    sum.quantity += BigInt(String(movement['quantity'] ?? 0));
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ sku, code, quantity }) => ({
    Stock_dynamic_header_code: code,
    Stock_master_data_sku: sku,
    quantity,
  }));
}

/** Empty where the caller may not see the instance: such movements belong to no cell. */
const textOf = (instance: unknown, attribute: string): string =>
  String((instance as ReportRow | null | undefined)?.[attribute] ?? '');
