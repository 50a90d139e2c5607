import { report } from '@lintel/application';
import { ANALYTICS } from './groups.ts';

/** Orders of a period summed up by customer, the greatest sum first. */
export const SALES_BY_CUSTOMER = report({
  id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b02',
  code: 'sales-by-customer',
  name: 'Sales by customer',
  group: ANALYTICS.id,
  restAccess: true,
  parameters: [
    { alias: 'from', name: 'From', type: 'DATE', required: true },
    { alias: 'to', name: 'To', type: 'DATE', required: true },
    { alias: 'grade', name: 'Grade', type: 'ENUMERATION', enumeration: 'sales.CustomerGrade' },
    { alias: 'minTotal', name: 'Least total', type: 'NUMERIC', defaultValue: '0' },
  ],
  bands: [
    { name: 'Header' },
    {
      name: 'Customers',
      dataSets: [
        {
          kind: 'query',
          name: 'customers',
          query: `
            select c.name as customer, c.grade as customerGrade, count(o.id) as orders, sum(coalesce(o.amount, 0)) as total
            from sales_Order o join o.customer c
            where o.date >= \${from} and o.date <= \${to} and c.grade = \${grade}
            group by c.id, c.name, c.grade
            having sum(coalesce(o.amount, 0)) >= \${minTotal}
            order by sum(coalesce(o.amount, 0)) desc, c.name`,
        },
      ],
    },
    { name: 'Totals' },
  ],
  templates: [
    { code: 'DEFAULT', outputType: 'XLSX', default: true, file: 'reports/sales-by-customer.xlsx' },
    { code: 'csv', outputType: 'CSV', file: 'reports/sales-by-customer.csv' },
  ],
});
