// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { as, type Response } from '../api.ts';

const CSV = 'Number,Customer\n${number},${customer}\n';
const DEFINITION = {
  parameters: [{ alias: 'status', name: 'Status', type: 'ENUMERATION', enumeration: 'sales.OrderStatus' }],
  bands: [
    {
      name: 'Orders',
      dataSets: [
        {
          kind: 'query',
          name: 'orders',
          query:
            'select o.number as number, o.customer.name as customer from sales_Order o where o.status = ${status} order by o.number',
        },
      ],
    },
  ],
};

const upload = async (text: string, name: string): Promise<string> =>
  (await as('admin', 'POST', `/files?name=${name}`, { body: text, headers: { 'content-type': 'text/csv' } })).json()
    .fileRef;

/** Of this run of the tests. */
const CODE = `stored-${Date.now()}`;
let content: string;
let groupId: string;
let reportId: string;
const reportOf = (more: object = {}) => ({
  name: `Stored ${CODE}`,
  code: CODE,
  restAccess: true,
  group: { id: groupId },
  definition: JSON.stringify(DEFINITION),
  templates: [
    { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'orders.csv', content },
    { code: 'broken', reportOutputType: 'PDF', isDefault: false, name: 'orders.csv', content },
  ],
  ...more,
});
const save = (body: object): Promise<Response> => as('admin', 'POST', '/entities/report_Report', { body });
const run = (user = 'manager', body: object = {}, code = CODE): Promise<Response> =>
  as(user, 'POST', `/reports/run/code/${code}`, { body });

beforeAll(async () => {
  content = await upload(CSV, 'orders.csv');
  groupId = (await as('admin', 'POST', '/entities/report_ReportGroup', { body: { title: `Group ${CODE}` } })).json().id;
  const saved = await save(reportOf());
  expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
  reportId = saved.json().id;
});
afterAll(async () => {
  await as('admin', 'DELETE', `/entities/report_Report/${reportId}`);
});

describe('reports of the database (contract/reports.md#report-info, #visibility, #definitions)', () => {
  // Asserts contract/reports.md#definitions.
  test('a report that was saved is listed without, and described with, its templates and parameters', async () => {
    const listed = await as('manager', 'GET', '/reports/report');
    expect(listed.json()).toContainEqual({ id: reportId, name: `Stored ${CODE}`, code: CODE, group: groupId });
    const detail = (await as('manager', 'GET', `/reports/report/${reportId}`)).json();
    expect(detail.templates).toContainEqual({ code: 'DEFAULT', outputType: 'CSV', default: true });
    expect(detail.inputParameters).toEqual([
      {
        name: 'Status',
        alias: 'status',
        type: 'ENUMERATION',
        required: false,
        hidden: false,
        enumerationClass: 'sales.OrderStatus',
      },
    ]);
    const group = await as('manager', 'GET', `/reports/group/${groupId}`);
    expect(group.json()).toEqual({ id: groupId, title: `Group ${CODE}` });
  });

  // Asserts contract/reports.md#definitions.
  test('it is run by its code and by its id, with the rows that its caller may see', async () => {
    const all = await run();
    expect([all.status, all.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)]);
    const lines = all.text.trimEnd().split('\n');
    expect(lines[0]).toBe('"Number","Customer"');
    expect(lines.length).toBeGreaterThan(30);
    const closed = await as('manager', 'POST', `/reports/run/${reportId}`, {
      body: { parameters: [{ name: 'status', value: 'CLOSED' }] },
    });
    expect(closed.status).toBe(200);
    expect(closed.text.split('\n').length).toBeLessThan(lines.length);
  });

  // Asserts contract/reports.md#definitions.
  test('a template that cannot be used is reported when it is run, with what is wrong', async () => {
    const response = await run('manager', { template: 'broken' });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Run report error', details: expect.stringContaining('Template broken: PDF from a .csv file') },
    ]);
  });

  // Asserts contract/reports.md#visibility.
  test('a change is seen at once, and a report that the API does not serve is not found', async () => {
    const update = (body: object) => as('admin', 'PUT', `/entities/report_Report/${reportId}`, { body });
    expect((await update({ restAccess: false })).status).toBe(200);
    const hidden = await run();
    expect(hidden.json()).toEqual({
      error: 'Entity not found',
      details: `Entity report_Report with code ${CODE} not found`,
    });
    const roles = JSON.stringify({ ...DEFINITION, roles: ['system-full-access'] });
    expect((await update({ restAccess: true, definition: roles })).status).toBe(200);
    expect([(await run('admin')).status, (await run()).status]).toEqual([200, 404]);
    expect((await update({ definition: JSON.stringify(DEFINITION) })).status).toBe(200);
    expect((await run()).status).toBe(200);
  });

  // Asserts contract/reports.md#report-info.
  test('defaults are computed at the request, and unknown ones are refused', async () => {
    const name = `defaults-${CODE}`;
    const parameters = [
      { alias: 'from', name: 'From', type: 'DATE', defaultExpression: 'startOfYear' },
      { alias: 'who', name: 'Who', type: 'TEXT', defaultExpression: 'currentUser' },
      { alias: 'me', name: 'Me', type: 'ENTITY', entity: 'sec_User', defaultExpression: 'currentUser' },
    ];
    const lookupFilter = { conditions: [{ property: 'active', operator: '=', value: true }] };
    const definitionOf = (more: object = {}) =>
      JSON.stringify({
        parameters: parameters.map((one) => ({ ...one, ...(one.type === 'ENTITY' && { lookupFilter }), ...more })),
        bands: [{ name: 'All' }],
      });
    const template = [
      {
        code: 'DEFAULT',
        reportOutputType: 'CSV',
        isDefault: true,
        name: 'a.csv',
        content: await upload('${from};${who};${me}', 'a.csv'),
      },
    ];
    const refused = await save(
      reportOf({
        name,
        code: name,
        definition: definitionOf({ defaultExpression: 'startOfEra' }),
        templates: template,
      }),
    );
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('parameters[0].defaultExpression')]);
    const saved = (await save(reportOf({ name, code: name, definition: definitionOf(), templates: template }))).json();
    const info = (await as('admin', 'GET', `/reports/report/${saved.id}`)).json();
    expect(info.inputParameters).toEqual([
      expect.objectContaining({
        defaultExpression: 'startOfYear',
        defaultValue: expect.stringMatching(/^\d{4}-01-01$/),
      }),
      expect.objectContaining({ defaultExpression: 'currentUser', defaultValue: 'admin' }),
      expect.objectContaining({ defaultExpression: 'currentUser', lookupFilter }),
    ]);
    const document = await run('admin', {}, name);
    expect(document.text).toMatch(/^""\n"\d{4}-01-01";"admin";"[^"]*[Aa]dmin[^"]*"\n$/);
    await as('admin', 'DELETE', `/entities/report_Report/${saved.id}`);
  });

  test('what a response acknowledges is what the next run sees', async () => {
    const code = `next-${CODE}`;
    const outputs: string[] = [];
    const saved = (await save(reportOf({ name: code, code }))).json();
    for (let round = 0; round < 10; round += 1) {
      outputs.push((await run('manager', {}, code)).text.split('\n')[0] ?? '');
      const body = await upload(`Number ${round}\n\${number}\n`, 'orders.csv');
      const { templates } = reportOf();
      const changed = { templates: [{ ...templates[0], content: body }] };
      expect((await as('admin', 'PUT', `/entities/report_Report/${saved.id}`, { body: changed })).status).toBe(200);
    }
    expect(outputs).toEqual(['"Number","Customer"', ...Array.from({ length: 9 }, (_, round) => `"Number ${round}"`)]);
    expect((await as('admin', 'DELETE', `/entities/report_Report/${saved.id}`)).status).toBe(204);
    expect((await run('manager', {}, code)).status).toBe(404);
  });

  // Asserts contract/reports.md#definitions.
  test.each<[string, object, string]>([
    ['what is no JSON', { definition: '{' }, 'definition'],
    ['a script', { definition: JSON.stringify({ bands: [], script: 'exit()' }) }, 'definition'],
    ['no bands', { definition: '{}' }, 'definition'],
    ['no definition', { definition: null }, 'definition'],
    ['the code of a report of the application', { code: 'sales-by-customer' }, 'code'],
    ['no name', { name: ' ' }, 'name'],
  ])('%s is refused when it is saved, naming the attribute', async (_case, more, path) => {
    const response = await save(reportOf({ name: `Other ${CODE}`, code: `other-${CODE}`, ...more }));
    expect([response.status, response.json()]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  // Asserts contract/reports.md#definitions.
  test('a code and a name are taken once', async () => {
    expect((await save(reportOf({ name: `Other ${CODE}` }))).status).toBe(409);
    expect((await save(reportOf({ code: `other-${CODE}` }))).status).toBe(409);
  });

  // Asserts contract/decisions.md#65.
  test('a report without a code is listed without it, and run by its id (contract/reports.md#report-info)', async () => {
    const saved = await save(reportOf({ name: `Uncoded ${CODE}`, code: undefined }));
    const other = await save(reportOf({ name: `Also uncoded ${CODE}`, code: null }));
    expect([saved.status, other.status]).toEqual([201, 201]);
    const { id } = saved.json();
    const otherId: string = other.json().id;
    try {
      const listed = await as('manager', 'GET', '/reports/report');
      expect(listed.json()).toContainEqual({ id, name: `Uncoded ${CODE}`, group: groupId });
      expect((await as('manager', 'GET', `/reports/report/${id}`)).json()).not.toHaveProperty('code');
      const response = await as('manager', 'POST', `/reports/run/${id}`);
      expect([response.status, response.text.split('\n')[0]]).toEqual([200, '"Number","Customer"']);
      expect((await run('manager', {}, 'null')).status).toBe(404);
      const blank = await as('admin', 'PUT', `/entities/report_Report/${id}`, { body: { code: ' ' } });
      expect([blank.status, blank.json()]).toEqual([400, [expect.objectContaining({ path: 'code' })]]);
    } finally {
      for (const each of [id, otherId]) await as('admin', 'DELETE', `/entities/report_Report/${each}`);
    }
  });

  // Asserts contract/reports.md#rights.
  test('users without the right to them neither see nor change reports by the entity API', async () => {
    for (const [method, path, body] of [
      ['POST', '', reportOf({ code: `own-${CODE}` })],
      ['PUT', `/${reportId}`, { name: 'Mine' }],
      ['DELETE', `/${reportId}`, undefined],
    ] as const)
      expect((await as('manager', method, `/entities/report_Report${path}`, { body })).status).toBe(403);
    expect((await as('clerk', 'GET', `/entities/report_Report/${reportId}`)).status).toBe(403);
  });
});

describe('data and definitions of reports of the database (contract/reports.md#preview, #definition-check)', () => {
  const preview = (id: string, body: object = {}, user = 'admin') =>
    as(user, 'POST', `/reports/report/${id}/data`, { body });
  const check = (definition: unknown, user = 'admin') =>
    as(user, 'POST', '/reports/definition/check', { body: { definition } });

  // Asserts contract/reports.md#preview.
  test('the first rows of each band are shown, also of a report that the API does not render', async () => {
    const response = await preview(reportId);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { bands } = response.json();
    expect(bands.map(({ name, parent }: { name: string; parent: string | null }) => [name, parent])).toEqual([
      ['Root', null],
      ['Orders', 'Root'],
    ]);
    expect(bands[1].rows[0]).toEqual({ number: expect.any(String), customer: expect.any(String) });
    expect(bands[1].rows.length).toBeLessThanOrEqual(50);
    const closed = await preview(reportId, { parameters: [{ name: 'status', value: 'CLOSED' }] });
    expect(closed.json().bands[0].rows).toEqual([{ status: 'CLOSED' }]);
    expect(closed.json().bands[1].rows.length).toBeLessThanOrEqual(50);
  });

  // Asserts contract/reports.md#preview.
  test('a preview needs the right to update reports, whether there is such a report or not', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const id of [reportId, unknown, 'no-id']) expect((await preview(id, {}, 'manager')).status).toBe(403);
    expect((await preview(unknown)).status).toBe(404);
    expect((await preview('no-id')).status).toBe(400);
    expect((await check('{}', 'manager')).status).toBe(403);
  });

  // Asserts contract/reports.md#preview.
  test('a report in code has no preview, and a wrong body is refused, naming the member', async () => {
    const reports: { id: string; code: string }[] = (await as('admin', 'GET', '/reports/report')).json();
    const ofCode = await preview(reports.find(({ code }) => code === 'sales-by-customer')?.id ?? '');
    expect([ofCode.status, ofCode.json()]).toEqual([
      400,
      { error: 'Run report error', details: 'The report is defined in code: its data cannot be previewed' },
    ]);
    const wrong = await preview(reportId, { parameters: {} });
    expect([wrong.status, wrong.json().details]).toEqual([400, '"parameters" must be an array']);
  });

  // Asserts contract/reports.md#definition-check.
  test('a definition is compared with the model without being saved', async () => {
    expect((await check(JSON.stringify(DEFINITION))).json()).toEqual({ problems: [] });
    expect((await check('{')).json()).toEqual({
      problems: [{ severity: 'error', message: 'The definition is not JSON' }],
    });
    const { parameters, bands } = DEFINITION;
    const wrong = JSON.stringify({
      parameters: [{ ...parameters[0], enumeration: 'sales.None' }],
      bands: [bands[0], bands[0]],
    });
    const { problems } = (await check(wrong)).json();
    expect(problems.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('there is no enum sales.None'),
      'two bands are named Orders',
    ]);
  });

  // Asserts contract/reports.md#definition-check.
  test('its templates are compared with its bands, each problem with severity and location', async () => {
    const templates = [
      { code: 'CSV', name: 'orders.csv', content },
      { code: 'PAGE', name: 'x.html', content: await upload('<p>\n{{ Root.bands.None.size }}', 'x.html') },
      { code: 'GONE', name: 'x.csv', content: 'fs://2026/01/01/none.csv?name=none.csv' },
    ];
    const body = { definition: JSON.stringify(DEFINITION), templates };
    const response = await as('admin', 'POST', '/reports/definition/check', { body });
    expect([response.status, response.json()]).toEqual([
      200,
      {
        problems: [
          { severity: 'error', message: 'the report has no band None', template: 'PAGE', location: 'line 2' },
          { severity: 'error', message: 'There is no file of a reference', template: 'GONE' },
        ],
      },
    ]);
  });

  // Asserts contract/reports.md#definition-check.
  test.each([
    [{}, 'definition: '],
    [{ definition: 1 }, 'definition: '],
    [{ definition: 'x'.repeat(200_001) }, 'definition: '],
    [{ definition: '{}', code: 'x' }, 'code'],
    [{ definition: '{}', templates: [{ name: 'x.csv' }] }, 'templates: 0: content'],
    [
      { definition: '{}', templates: [{ name: 'x.csv', content: 'x', outputType: 'CHART' }] },
      'templates: 0: outputType',
    ],
    [[], ''],
  ])('the check of %j is refused, naming the member', async (body, named) => {
    const response = await as('admin', 'POST', '/reports/definition/check', { body });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Invalid JSON body', details: expect.stringContaining(named) },
    ]);
  });

  test('a run has another output that the file of the template can have (contract/reports.md#run)', async () => {
    const response = await run('manager', { outputType: 'CSV' });
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    const refused = await run('manager', { outputType: 'PDF' });
    expect([refused.status, refused.json()]).toEqual([
      400,
      { error: 'Run report error', details: expect.stringContaining('Template DEFAULT has no output PDF, only CSV') },
    ]);
  });
});
