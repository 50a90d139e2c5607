import { report } from '@lintel/application';
import { ANALYTICS } from './groups.ts';

/** Who changed which order last. Not for the REST API. */
export const INTERNAL_AUDIT = report({
  id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b03',
  code: 'internal-audit',
  name: 'Internal audit',
  group: ANALYTICS.id,
  restAccess: false,
  bands: [
    {
      name: 'Orders',
      dataSets: [
        {
          kind: 'entities',
          name: 'orders',
          entity: 'sales_Order',
          fetchPlan: { properties: ['number', 'lastModifiedDate', 'lastModifiedBy'] },
          sort: '-lastModifiedDate',
        },
      ],
    },
  ],
  templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true, file: 'reports/internal-audit.csv' }],
});
