import {
  Decimal,
  ExactNumber,
  type ReportData,
  type ReportParameters,
  type ReportRow,
  report,
} from '@lintel/application';
import { DOCUMENTS } from './groups.ts';

const CUSTOMER = { properties: ['name', 'email', 'address'] };
const LINES = {
  properties: [
    'position',
    'quantity',
    'price',
    { name: 'product', fetchPlan: { properties: ['name', 'sku'] } },
    { name: 'discounts', fetchPlan: { properties: ['reason', 'percent'] } },
  ],
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: an alias of the output name
const NAME = 'Invoice ${Root.number}.x';

/** One order with its lines, the discounts of each line, and what is to be paid. */
export const ORDER_INVOICE = report({
  id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b04',
  code: 'order-invoice',
  name: 'Invoice',
  group: DOCUMENTS.id,
  restAccess: true,
  parameters: [{ alias: 'order', name: 'Order', type: 'ENTITY', entity: 'sales_Order', required: true }],
  rootDataSets: [{ kind: 'entity', name: 'number', parameter: 'order', fetchPlan: { properties: ['number'] } }],
  bands: [
    {
      name: 'Header',
      dataSets: [
        {
          kind: 'entity',
          name: 'order',
          parameter: 'order',
          fetchPlan: { properties: ['number', 'date', 'status', 'notes', { name: 'customer', fetchPlan: CUSTOMER }] },
        },
      ],
    },
    {
      name: 'Lines',
      dataSets: [{ kind: 'function', name: 'lines', rows: invoiceLines }],
      // The lines have brought their discounts along: nothing more is read.
      bands: [{ name: 'Discounts', dataSets: [{ kind: 'collection', name: 'discounts', field: 'Lines.discounts' }] }],
    },
    { name: 'Totals', dataSets: [{ kind: 'function', name: 'totals', rows: invoiceTotals }] },
  ],
  templates: [
    { code: 'DEFAULT', outputType: 'DOCX', default: true, file: 'reports/order-invoice.docx', outputName: NAME },
    { code: 'pdf', outputType: 'PDF', file: 'reports/order-invoice.docx', outputName: NAME },
    { code: 'html', outputType: 'HTML', file: 'reports/order-invoice.html', outputName: NAME },
    { code: 'html-pdf', outputType: 'PDF', file: 'reports/order-invoice.html', outputName: NAME },
  ],
  formats: {
    'Header.date': 'dd MMM yyyy',
    'Lines.quantity': '#,##0.###',
    'Lines.price': '#,##0.00',
    'Lines.amount': '#,##0.00',
    'Discounts.percent': '0.##',
    'Totals.sum': '#,##0.00',
    'Totals.discountAmount': '#,##0.00',
    'Totals.amount': '#,##0.00',
  },
});

/** Lines in their order, with what is left of each after its discounts. */
async function invoiceLines(parameters: ReportParameters, data: ReportData): Promise<readonly ReportRow[]> {
  const lines = await loadLines(parameters, data);
  return lines.map((line) => ({
    position: line['position'],
    product: (line['product'] as ReportRow | null)?.['name'],
    sku: (line['product'] as ReportRow | null)?.['sku'],
    quantity: line['quantity'],
    price: line['price'],
    amount: new ExactNumber(amountOfLine(line).toFixed(2)),
    discounts: line['discounts'],
  }));
}

/** The sum of the lines that the caller may see, the discount on it, and the rest. */
async function invoiceTotals(parameters: ReportParameters, data: ReportData): Promise<readonly ReportRow[]> {
  const lines = await loadLines(parameters, data);
  const sum = lines.reduce((total, line) => total.plus(amountOfLine(line)), Decimal.of(0));
  const [order] = await Array.fromAsync(
    data.load({ entity: 'sales_Order', filter: isOrder(parameters, 'id'), fetchPlan: { properties: ['discount'] } }),
  );
  const discount = Decimal.from(order?.['discount']);
  const rest = sum.times(Decimal.of(1).minus(discount));
  return [
    {
      sum: new ExactNumber(sum.toFixed(2)),
      discount: new ExactNumber(discount.times(100).toFixed(2)),
      discountAmount: new ExactNumber(Decimal.of(sum.toFixed(2)).minus(rest.toFixed(2)).toFixed(2)),
      amount: new ExactNumber(rest.toFixed(2)),
    },
  ];
}

const loadLines = (parameters: ReportParameters, data: ReportData): Promise<readonly ReportRow[]> =>
  Array.fromAsync(
    data.load({
      entity: 'sales_OrderLine',
      filter: isOrder(parameters, 'order.id'),
      fetchPlan: LINES,
      sort: 'position,id',
    }),
  );

const isOrder = ({ order }: ReportParameters, property: string): unknown => ({
  conditions: [{ property, operator: '=', value: (order as ReportRow)['id'] }],
});

function amountOfLine(line: ReportRow): Decimal {
  const discounts = Array.isArray(line['discounts']) ? (line['discounts'] as readonly ReportRow[]) : [];
  return discounts.reduce(
    (rest, { percent }) => rest.times(Decimal.of(1).minus(Decimal.from(percent).times('0.01'))),
    Decimal.from(line['quantity'], 1).times(Decimal.from(line['price'])),
  );
}
