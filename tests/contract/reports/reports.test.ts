import { as } from '../api.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
const list = async (user = 'manager'): Promise<any[]> => (await as(user, 'GET', '/reports/report')).json();

const PERIOD = [
  { name: 'from', value: '2026-01-01' },
  { name: 'to', value: '2026-12-31' },
];

describe('reports (contract/reports.md#reports)', () => {
  // Asserts contract/reports.md#routes, contract/reports.md#visibility.
  test('lists the reports that are visible for the API', async () => {
    const reports = await list();
    expect(reports).toContainEqual(
      expect.objectContaining({
        id: expect.any(String),
        name: expect.any(String),
        code: 'sales-by-customer',
        group: expect.any(String),
      }),
    );
    expect(reports.map((report) => report.code)).not.toContain('internal-audit');
  });

  // Asserts contract/reports.md#routes.
  test('the detail has templates and parameters', async () => {
    const summary = (await list()).find((report) => report.code === 'sales-by-customer');
    const detail = (await as('manager', 'GET', `/reports/report/${summary.id}`)).json();
    expect(detail.templates).toContainEqual({
      code: expect.any(String),
      outputType: 'CSV',
      default: expect.any(Boolean),
    });
    expect(detail.inputParameters).toContainEqual(
      expect.objectContaining({ alias: 'from', type: 'DATE', required: true, hidden: false }),
    );
    expect(detail.inputParameters).toContainEqual(
      expect.objectContaining({
        alias: 'grade',
        type: 'ENUMERATION',
        enumerationClass: 'sales.CustomerGrade',
        required: false,
      }),
    );
    const group = await as('manager', 'GET', `/reports/group/${summary.group}`);
    expect([group.status, group.json()]).toEqual([
      200,
      expect.objectContaining({ id: summary.group, title: 'Analytics' }),
    ]);
  });

  // Asserts contract/reports.md#routes.
  test('sales-by-customer runs as csv', async () => {
    const response = await as('manager', 'POST', '/reports/run/code/sales-by-customer', {
      body: {
        template: 'csv',
        parameters: [
          { name: 'from', value: '2026-01-01' },
          { name: 'to', value: '2026-12-31' },
        ],
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename=".*\.csv"; filename\*=/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const lines = response.text.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(30);
    for (const line of lines) expect(line).toMatch(/^"([^"]|"")*"(,"([^"]|"")*")*$/);
  });

  test('sales-by-customer sums up the orders of a period, of a grade, above a total', async () => {
    const orders = (
      await as('admin', 'POST', '/entities/sales_Order/search', {
        body: {
          filter: { conditions: [{ property: 'date', operator: '>=', value: '2026-03-01' }] },
          fetchPlan: {
            entity: 'sales_Order',
            properties: ['amount', { name: 'customer', fetchPlan: { properties: ['name', 'grade'] } }],
          },
          limit: 10_000,
        },
      })
    )
      // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
      .json() as any[];
    const cents = new Map<string, number>();
    for (const { customer, amount } of orders)
      if (customer?.grade === 'GOLD')
        cents.set(customer.name, (cents.get(customer.name) ?? 0) + Math.round((amount ?? 0) * 100));
    const least = [...cents.values()].toSorted((one, other) => other - one)[3] ?? 0;
    const { text } = await as('admin', 'POST', '/reports/run/code/sales-by-customer', {
      body: {
        template: 'csv',
        parameters: [
          { name: 'from', value: '2026-03-01' },
          { name: 'to', value: '2099-12-31' },
          { name: 'grade', value: 'GOLD' },
          { name: 'minTotal', value: (least / 100).toFixed(2) },
        ],
      },
    });
    const rows = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(1, -1).split('","'));
    expect(rows.map(([name, , , total]) => [name, Math.round(Number(total?.replaceAll(',', '')) * 100)])).toEqual(
      [...cents].filter(([, sum]) => sum >= least).toSorted(([, one], [, other]) => other - one),
    );
    expect(rows.map(([, grade]) => grade)).toEqual(rows.map(() => 'Gold'));
  });

  // Asserts contract/reports.md#run-response.
  test.each<[string, object, string]>([
    ['sales-by-customer', { parameters: PERIOD }, 'sales-by-customer.xlsx'],
    ['stock-cross-table', {}, 'stock-cross-table.xlsx'],
    ['price-list', { template: 'xlsx' }, 'price-list.xlsx'],
  ])('%s runs as a workbook', async (code, body, name) => {
    const response = await as('admin', 'POST', `/reports/run/code/${code}`, { body });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(response.headers.get('content-disposition')).toContain(`filename="${name}"`);
    expect(response.text.slice(0, 2)).toBe('PK');
  });

  // Asserts contract/reports.md#rights.
  test('a report shows the rows of its caller only', async () => {
    const body = {
      template: 'csv',
      parameters: [
        { name: 'from', value: '2026-01-01' },
        { name: 'to', value: '2026-12-31' },
      ],
    };
    const all = await as('admin', 'POST', '/reports/run/code/sales-by-customer', { body });
    const manager = await as('manager', 'POST', '/reports/run/code/sales-by-customer', { body });
    expect(manager.text).toBe(all.text);
  });

  // Asserts contract/reports.md#routes.
  test('an html report runs by id, as an attachment when asked', async () => {
    const report = (await list()).find((summary) => summary.code === 'price-list');
    const response = await as('manager', 'POST', `/reports/run/${report.id}`, { body: { attachment: true } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(response.text).toContain('SKU-0001');
  });

  test('order-invoice shows the order, its lines and the discounts below each line', async () => {
    const found = (await as('manager', 'GET', '/entities/sales_Order?limit=50&sort=number&fetchPlan=order-edit'))
      // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
      .json() as any[];
    // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
    const order = found.find(({ lines = [] }) => lines.some(({ discounts = [] }: any) => discounts.length > 0));
    const response = await as('manager', 'POST', '/reports/run/code/order-invoice', {
      body: { template: 'html', parameters: [{ name: 'order', value: order.id }] },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    expect(response.headers.get('content-disposition')).toContain(`filename="Invoice+${order.number}.html"`);
    for (const { product, discounts = [] } of order.lines) {
      expect(response.text).toContain(product._instanceName);
      for (const { reason } of discounts) expect(response.text).toContain(reason);
    }
    const written = order.amount.toLocaleString('en', { minimumFractionDigits: 2 });
    expect(response.text).toContain(`Total</td><td class="number">${written}</td>`);
  });

  // Asserts contract/report-templates.md#formats.
  test.each([
    ['DEFAULT', 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK'],
    ['pdf', 'pdf', 'application/pdf', '%PDF-'],
    ['html-pdf', 'pdf', 'application/pdf', '%PDF-'],
  ])('order-invoice runs with the template %s as %s', async (template, extension, contentType, beginning) => {
    const [order] = (await as('manager', 'GET', '/entities/sales_Order?limit=1&sort=number')).json();
    const response = await as('manager', 'POST', '/reports/run/code/order-invoice', {
      body: { template, parameters: [{ name: 'order', value: order.id }] },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
    expect(response.headers.get('content-disposition')).toContain(`filename="Invoice+${order.number}.${extension}"`);
    expect(response.text.startsWith(beginning)).toBe(true);
  });

  // Asserts contract/decisions.md#65, contract/reports.md#reports.
  test('values of parameters are JSON', async () => {
    const run = async (minTotal: unknown): Promise<string> => {
      const parameters = [...PERIOD, { name: 'minTotal', value: minTotal }];
      const body = { template: 'csv', parameters };
      return (await as('manager', 'POST', '/reports/run/code/sales-by-customer', { body })).text;
    };
    const text = await run('5000.50');
    expect(await run(5000.5)).toBe(text);
    expect(text.split('\n').length).toBeGreaterThan(2);
    const [order] = (await as('manager', 'GET', '/entities/sales_Order?limit=1&sort=number')).json();
    const response = await as('manager', 'POST', '/reports/run/code/order-invoice', {
      body: { template: 'html', parameters: [{ name: 'order', value: { id: order.id } }] },
    });
    expect([response.status, response.text]).toEqual([200, expect.stringContaining(order.number)]);
  });

  // Asserts contract/decisions.md#32, contract/decisions.md#65, contract/reports.md#check-order.
  test.each<[string, string, unknown, number, string]>([
    [
      'a list for a single value',
      'sales-by-customer',
      { parameters: [...PERIOD, { name: 'minTotal', value: [1] }] },
      400,
      'Invalid parameter value',
    ],
    ['a missing required parameter', 'sales-by-customer', {}, 400, 'Run report error'],
    [
      'a value that cannot be parsed',
      'sales-by-customer',
      {
        parameters: [
          { name: 'from', value: '31.12.2026' },
          { name: 'to', value: '2026-12-31' },
        ],
      },
      400,
      'Invalid parameter value',
    ],
    ['an unknown template', 'sales-by-customer', { template: 'none' }, 400, 'Template not found'],
    ['a body that is no JSON', 'sales-by-customer', '{', 400, 'Invalid JSON body'],
    ['an unknown report', 'no-such', {}, 404, 'Entity not found'],
    ['a report that is not visible', 'internal-audit', {}, 404, 'Entity not found'],
  ])('%s', async (_case, code, body, status, error) => {
    const response = await as('manager', 'POST', `/reports/run/code/${code}`, { body });
    expect([response.status, response.json().error]).toEqual([status, error]);
  });

  // Asserts contract/report-data.md#data.
  test('stock-cross-table runs for who may read all of it, as a workbook', async () => {
    const response = await as('admin', 'POST', '/reports/run/code/stock-cross-table');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(response.text.slice(0, 2)).toBe('PK');
    const refused = await as('manager', 'POST', '/reports/run/code/stock-cross-table');
    expect([refused.status, refused.json()]).toEqual([
      403,
      { error: 'Reading forbidden', details: expect.stringContaining('sales_Warehouse') },
    ]);
  });

  // Asserts contract/conventions.md#endpoints.
  test('an Accept that excludes JSON returns 406 for descriptions, and does not matter for documents', async () => {
    const [{ id, group }] = await list();
    for (const path of ['/report', `/report/${id}`, `/group/${group}`]) {
      const refused = await as('manager', 'GET', `/reports${path}`, { headers: { accept: 'text/html' } });
      expect([refused.status, refused.json().error]).toEqual([406, 'Not acceptable']);
      const headers = { accept: 'application/json;charset=UTF-8' };
      expect((await as('manager', 'GET', `/reports${path}`, { headers })).status).toBe(200);
    }
    const headers = { accept: 'application/pdf' };
    const run = await as('manager', 'POST', '/reports/run/code/price-list', { headers });
    expect([run.status, run.headers.get('content-type')]).toEqual([200, 'text/html']);
  });

  // Asserts contract/decisions.md#32, contract/reports.md#check-order.
  test.each([
    [{ name: 'minTotal', value: '1e400' }, 'Parameter "minTotal": cannot convert'],
    [{ name: 'minTotal', value: '1e-401' }, 'Parameter "minTotal": cannot convert'],
  ])('%j has too many digits: 400 with its name', async (parameter, details) => {
    const body = { template: 'csv', parameters: [...PERIOD, parameter] };
    const response = await as('manager', 'POST', '/reports/run/code/sales-by-customer', { body });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Invalid parameter value', details: expect.stringContaining(details) },
    ]);
  });

  // Asserts contract/reports.md#check-order.
  test('a bad id: 400; an unknown id: 404', async () => {
    const bad = await as('manager', 'GET', '/reports/report/xyz');
    expect([bad.status, bad.json()]).toEqual([
      400,
      { error: 'Invalid entity ID', details: 'Cannot convert xyz into valid entity ID' },
    ]);
    const id = '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11';
    const unknown = await as('manager', 'GET', `/reports/report/${id}`);
    expect([unknown.status, unknown.json()]).toEqual([
      404,
      { error: 'Entity not found', details: `Entity report_Report with id ${id} not found` },
    ]);
  });

  // Asserts contract/decisions.md#39, contract/decisions.md#69, contract/reports.md#check-order,
  // contract/roles.md#rest-enabled.
  test('without reports.rest.enabled: 403, whether the report exists or not', async () => {
    const [known] = await list();
    for (const [method, path] of [
      ['GET', '/report'],
      ['GET', `/report/${known.id}`],
      ['GET', '/report/xyz'],
      ['GET', '/group/xyz'],
      ['POST', `/run/${known.id}`],
      ['POST', '/run/code/no-such'],
      ['GET', '/runs/xyz'],
      ['GET', '/no-such'],
    ] as const) {
      const response = await as('clerk', method, `/reports${path}`);
      expect([response.status, response.json()]).toEqual([
        403,
        {
          error: 'Forbidden',
          details: 'User is not allowed to use reports: the permission reports.rest.enabled is missing',
        },
      ]);
    }
  });
});
