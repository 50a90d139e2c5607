import { report } from '@lintel/application';
import { DOCUMENTS } from './groups.ts';

/** All products with price and stock. */
export const PRICE_LIST = report({
  id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b01',
  code: 'price-list',
  name: 'Price list',
  group: DOCUMENTS.id,
  restAccess: true,
  bands: [
    { name: 'Header' },
    {
      name: 'Products',
      dataSets: [
        {
          kind: 'entities',
          name: 'products',
          entity: 'sales_Product',
          fetchPlan: { properties: ['name', 'sku', 'price', 'stock'] },
          sort: 'name',
        },
      ],
    },
    { name: 'Footer' },
  ],
  templates: [
    { code: 'DEFAULT', outputType: 'HTML', default: true, file: 'reports/price-list.html' },
    { code: 'xlsx', outputType: 'XLSX', file: 'reports/price-list.xlsx' },
  ],
});
