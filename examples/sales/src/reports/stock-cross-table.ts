import { report } from '@lintel/application';
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
        {
          kind: 'query',
          name: 'quantities',
          query: `
            select m.warehouse.code as Stock_dynamic_header@code, m.product.sku as Stock_master_data@sku,
              sum(m.quantity) as quantity
            from sales_StockMovement m
            group by m.warehouse.code, m.product.sku`,
        },
      ],
    },
  ],
  templates: [{ code: 'DEFAULT', outputType: 'XLSX', default: true, file: 'reports/stock-cross-table.xlsx' }],
});
