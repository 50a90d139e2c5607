import { report } from '@lintel/application';

/** Invoices of a period by make of car, the greatest sum first. */
export const TURNOVER = report({
  id: '3f0e7c52-9a52-4b55-8d27-6a9b0f2c1d01',
  code: 'turnover',
  name: 'msg://garage/turnover',
  restAccess: true,
  roles: ['garage-desk'],
  parameters: [
    { alias: 'from', name: 'msg://garage/from', type: 'DATETIME', required: true },
    { alias: 'to', name: 'msg://garage/to', type: 'DATETIME', required: true },
  ],
  bands: [
    {
      name: 'Makes',
      dataSets: [
        {
          kind: 'query',
          name: 'makes',
          query: `
            select i.job.car.make as make, count(i.id) as invoices, sum(i.amount) as total from garage_Invoice i
            where i.issuedAt >= \${from} and i.issuedAt < \${to}
            group by i.job.car.make order by sum(i.amount) desc`,
        },
      ],
    },
  ],
  templates: [
    { code: 'DEFAULT', outputType: 'CSV', default: true, file: 'reports/turnover.csv' },
    { code: 'html', outputType: 'HTML', file: 'reports/turnover.html' },
  ],
  formats: { 'Makes.total': '#,##0.00' },
});
