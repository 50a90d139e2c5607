import { ExactNumber, type ReportData, type ReportParameters, type ReportRow, report } from '@lintel/application';
import { decimalOf, type ExactDecimal } from '../listeners/exact-decimal.ts';
import { ANALYTICS } from './groups.ts';

interface CustomerSales {
  readonly customer: string;
  readonly grade: string | null;
  readonly orders: number;
  readonly total: ExactDecimal;
}

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
    { name: 'Customers', dataSets: [{ kind: 'function', name: 'customers', rows: salesByCustomer }] },
    { name: 'Totals' },
  ],
  templates: [
    { code: 'DEFAULT', outputType: 'XLSX', default: true, file: 'reports/sales-by-customer.xlsx' },
    { code: 'csv', outputType: 'CSV', file: 'reports/sales-by-customer.csv' },
  ],
});

async function salesByCustomer(parameters: ReportParameters, data: ReportData): Promise<readonly ReportRow[]> {
  const sales = new Map<string, CustomerSales>();
  for await (const order of data.load({
    entity: 'sales_Order',
    filter: { conditions: conditionsOf(parameters) },
    fetchPlan: { properties: ['amount', { name: 'customer', fetchPlan: { properties: ['name', 'grade'] } }] },
  }))
    addOrder(sales, order);
  const least = decimalOf(parameters['minTotal'], '0');
  return [...sales.values()]
    .filter(({ total }) => compare(total, least) >= 0)
    .sort((one, other) => compare(other.total, one.total) || one.customer.localeCompare(other.customer, 'en'))
    .map(({ customer, grade, orders, total }) => ({
      customer,
      // Not `grade`, which is the parameter.
      customerGrade: grade,
      orders,
      total: new ExactNumber(total.toFixed(2)),
    }));
}

function conditionsOf({ from, to, grade }: ReportParameters): readonly unknown[] {
  const period = [
    { property: 'date', operator: '>=', value: from },
    { property: 'date', operator: '<=', value: to },
  ];
  return grade === null ? period : [...period, { property: 'customer.grade', operator: '=', value: grade }];
}

/** Orders whose customer the caller may not see are left out: there is nobody to count them for. */
function addOrder(sales: Map<string, CustomerSales>, order: ReportRow): void {
  const customer = order['customer'] as ReportRow | null | undefined;
  if (customer === null || customer === undefined) return;
  const id = String(customer['id']);
  const amount = decimalOf(order['amount'], '0');
  const known = sales.get(id);
  sales.set(id, {
    customer: String(customer['name'] ?? ''),
    grade: typeof customer['grade'] === 'string' ? customer['grade'] : null,
    orders: (known?.orders ?? 0) + 1,
    total: known === undefined ? amount : known.total.plus(amount),
  });
}

const compare = (one: ExactDecimal, other: ExactDecimal): number => {
  const { unscaled } = one.minus(other);
  return unscaled < 0n ? -1 : unscaled > 0n ? 1 : 0;
};
