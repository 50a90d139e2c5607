import type { RunningServer } from '@lintel/http';
import { createLogger } from '@lintel/telemetry';
import { eventually } from '@lintel/testkit';
import { type AskedDataset, GROUP_ID, PRODUCT_ID, SALES_ID, startReports } from '../test/reports-fixture.ts';

describe('the reports API', () => {
  let server: RunningServer;
  let asked: AskedDataset[] = [];
  const log: string[] = [];

  beforeAll(async () => {
    const logger = createLogger({ service: 'reports', destination: { write: (line) => log.push(line) } });
    server = await startReports((dataset) => asked.push(dataset), { logger });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    asked = [];
  });

  async function call(path: string, init: RequestInit = {}, token = 'user') {
    const response = await fetch(`${server.url}/rest/reports${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  }
  const run = (body: unknown, path = `/run/${SALES_ID}`, token = 'user', headers: Record<string, string> = {}) =>
    call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers }, token);
  const FROM = { name: 'from', value: '2026-01-01' };

  // Asserts contract/reports.md#report-info, contract/reports.md#rights, contract/reports.md#routes.
  test('lists what the caller may see, with templates and parameters', async () => {
    const { status, json } = await call('/report');
    expect(status).toBe(200);
    expect(json().map(({ code }: { code: string }) => code)).toEqual([
      'sales',
      'failing',
      'named',
      'endless',
      undefined,
    ]);
    expect(json()[0]).toEqual({
      id: SALES_ID,
      name: 'Sales',
      code: 'sales',
      group: GROUP_ID,
      templates: [
        { code: 'DEFAULT', outputType: 'CSV', default: true },
        { code: 'html', outputType: 'HTML', default: false },
      ],
      inputParameters: [
        { name: 'From', alias: 'from', type: 'DATE', required: true, hidden: false },
        {
          name: 'Grade',
          alias: 'grade',
          type: 'ENUMERATION',
          required: false,
          hidden: false,
          enumerationClass: 'x.Grade',
        },
        { name: 'Least', alias: 'least', type: 'NUMERIC', required: false, hidden: false, defaultValue: '0' },
        {
          name: 'Product',
          alias: 'product',
          type: 'ENTITY',
          required: false,
          hidden: false,
          entityMetaClass: 'x_Product',
        },
        {
          name: 'Products',
          alias: 'products',
          type: 'ENTITY_LIST',
          required: false,
          hidden: false,
          entityMetaClass: 'x_Product',
        },
        { name: 'Secret', alias: 'secret', type: 'ENTITY', required: false, hidden: true, entityMetaClass: 'x_Secret' },
      ],
    });
    expect((await call('/report', {}, 'boss')).json().map(({ code }: { code: string }) => code)).toContain(
      'for-bosses',
    );
  });

  test('the offset of a parameter is ignored and named, and refused under handling=strict', async () => {
    const parameters = [{ name: 'from', value: '2026-01-01+02:00' }];
    const response = await run({ parameters });
    expect([response.status, response.headers.get('x-ignored')]).toEqual([200, 'body.parameters.from;offset']);
    const refused = await run({ parameters }, undefined, undefined, { prefer: 'handling=strict' });
    expect([refused.status, refused.json().details]).toEqual([400, "The offset of 'parameters.from' has no effect"]);
  });

  test('a parameter that the report does not have is ignored and named, and refused under handling=strict', async () => {
    const body = {
      parameters: [
        { name: 'from', value: '2026-01-01' },
        { name: 'form', value: '2026-01-01' },
      ],
    };
    for (const headers of [{}, { prefer: 'respond-async' }]) {
      const response = await run(body, undefined, undefined, headers);
      expect(response.headers.get('x-ignored')).toBe('body.parameters.form');
    }
    const refused = await run(body, undefined, undefined, { prefer: 'handling=strict' });
    expect([refused.status, refused.json().details]).toEqual([
      400,
      "Unknown member 'parameters.form'; did you mean parameters.from?",
    ]);
  });

  // Asserts contract/reports.md#report-info, contract/reports.md#routes.
  test('describes one report and one group', async () => {
    expect((await call(`/report/${SALES_ID.toUpperCase()}`)).json()).toMatchObject({
      code: 'sales',
      inputParameters: expect.any(Array),
    });
    expect((await call(`/group/${GROUP_ID}`)).json()).toEqual({ id: GROUP_ID, title: 'Lists' });
    expect((await call('/group/4e083530-0b9c-11e1-9b41-6bdaa41bff94')).json()).toEqual({
      id: '4e083530-0b9c-11e1-9b41-6bdaa41bff94',
      title: 'General',
      code: 'ReportGroup.default',
    });
  });

  // Asserts contract/reports.md#report-info.
  test('captions may be texts of the application, defaults are found out for the caller at each request', async () => {
    const find = async (language: string) => {
      const { json } = await call('/report', { headers: { 'Accept-Language': language } });
      return json().find(({ code }: { code: string }) => code === 'named');
    };
    expect(await find('en')).toMatchObject({
      name: 'A named report',
      inputParameters: [
        { name: 'Who', alias: 'who', defaultValue: 'user in en' },
        { name: 'Twice', alias: 'twice' },
      ],
    });
    const german = await find('de');
    expect(german).toMatchObject({ name: 'Ein Bericht', inputParameters: [{ name: 'Wer' }, {}] });
    expect((await call(`/group/${german.group}`)).json()).toMatchObject({ title: 'Named ones', code: 'x.named' });
  });

  // Asserts contract/reports.md#check-order.
  test('runs with defaults and transformations, and says what validations say', async () => {
    const runNamed = (...parameters: readonly object[]) => run({ parameters }, '/run/code/named');
    expect((await runNamed({ name: 'twice', value: 'ab' })).text).toBe('"Who","Twice"\n"user in en","abab"\n');
    for (const [parameters, details] of [
      [[{ name: 'who', value: 'nobody' }], 'Nobody is no name'],
      [
        [
          { name: 'who', value: 'a' },
          { name: 'twice', value: 'a' },
        ],
        'Both are the same',
      ],
    ] as const) {
      const { status, json } = await runNamed(...parameters);
      expect([status, json()]).toEqual([400, { error: 'Run report error', details }]);
    }
  });

  // Asserts contract/report-templates.md#formats, contract/reports.md#run, contract/reports.md#run-response.
  test('runs a report as csv with the headers of the contract, reading with a token of the run', async () => {
    const { status, headers, text } = await run({
      parameters: [FROM, { name: 'grade', value: 'GOLD' }, { name: 'unknown', value: 1 }],
    });
    expect([status, text]).toEqual([200, '"Name","Price","Grade"\n"Pen <1>","1234.50","Gold"\n"=Ink","",""\n']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
      'content-type': 'text/csv',
      'content-disposition': `inline; filename="Sales+from+2026-01-01.csv"; filename*=UTF-8''Sales%20from%202026-01-01.csv`,
    });
    expect(asked).toEqual([
      {
        token: 'user for run-1',
        request: {
          entity: 'x_Product',
          fetchPlan: '_local',
          filter: {
            parameters: { from: '2026-01-01', grade: 'GOLD', least: '0', product: null, products: null, secret: null },
          },
          locale: 'en',
        },
      },
    ]);
  });

  // Asserts contract/decisions.md#33, contract/reports.md#routes, contract/reports.md#run-response.
  test('runs a report by its code, as html, as an attachment, in the language of the request', async () => {
    const html = await run({ template: 'html', attachment: true, parameters: [FROM] }, '/run/code/sales');
    expect([html.status, html.text]).toEqual([200, '<p>2026-01-01</p><b>Pen &lt;1&gt;</b><b>=Ink</b>']);
    expect(html.headers.get('content-type')).toBe('text/html');
    expect(html.headers.get('content-disposition')).toMatch(/^attachment; filename="sales\.html"/);
    const german = await run({ parameters: [FROM] }, '/run/code/sales', 'user', { 'Accept-Language': 'de-AT' });
    expect(german.text).toContain('"1234.50","Edelkunde"');
  });

  // Asserts contract/report-templates.md#formats.
  test('begins csv with a byte order mark on request, and refuses it for other outputs', async () => {
    expect((await run({ bom: true, parameters: [FROM] })).text).toMatch(/^\uFEFF"Name","Price"/);
    const { status, json } = await run({ bom: true, template: 'html', parameters: [FROM] });
    expect([status, json()]).toEqual([
      400,
      { error: 'Run report error', details: '"bom" is for CSV, and the output is HTML' },
    ]);
    // An error before the first row has its status.
    expect((await run({ bom: true, parameters: [] })).status).toBe(400);
  });

  // Asserts contract/reports.md#check-order, contract/reports.md#routes.
  test('accepts an empty body of any type', async () => {
    const { status, json } = await run('', '/run/code/sales', 'user', { 'Content-Type': 'text/plain' });
    expect([status, json()]).toEqual([
      400,
      { error: 'Run report error', details: 'Required report parameter "from" not found' },
    ]);
  });

  // Asserts contract/report-templates.md#values.
  test('shows captions of enums in the language of the request, in csv and html, and reads data in it', async () => {
    const german = { 'Accept-Language': 'de-AT' };
    const parameters = [FROM, { name: 'grade', value: 'GOLD' }];
    expect((await run({ parameters }, '/run/code/sales', 'user', german)).text).toContain('"Edelkunde"');
    expect((await run({ template: 'html', parameters }, '/run/code/sales', 'user', german)).text).toContain(
      'Edelkunde',
    );
    expect((await run({ template: 'html', parameters }, '/run/code/sales')).text).toContain('Gold');
    expect(asked.map(({ request }) => request.locale)).toEqual(['de', 'de', 'en']);
  });

  // Asserts contract/decisions.md#65, contract/reports.md#run.
  test('loads entity parameters by their ids', async () => {
    const body = {
      parameters: [FROM, { name: 'product', value: PRODUCT_ID }, { name: 'products', values: [SALES_ID, PRODUCT_ID] }],
    };
    expect((await run(body)).status).toBe(200);
    expect(asked.map(({ request }) => request.entity)).toEqual(['x_Product', 'x_Product', 'x_Product']);
    expect(asked[0]?.request).toEqual({
      entity: 'x_Product',
      filter: { conditions: [{ property: 'id', operator: 'in', value: [PRODUCT_ID] }] },
      fetchPlan: '_instance_name',
      locale: 'en',
    });
    expect(asked[2]?.request.filter).toMatchObject({
      parameters: { product: { id: PRODUCT_ID }, products: [{ id: SALES_ID }, { id: PRODUCT_ID }] },
    });
  });

  test('a user whom the API refuses a hundred times within a minute is a security event', async () => {
    for (let at = 0; at < 100; at += 1) await call('/report', {}, 'minimal');
    expect(log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'security')).toEqual([
      expect.objectContaining({ name: 'security.access.refused', username: 'minimal', amount: 100 }),
    ]);
  });

  // Asserts contract/reports.md#check-order, contract/reports.md#visibility.
  test.each([
    [
      'a bad id',
      'user',
      '/report/x',
      400,
      { error: 'Invalid entity ID', details: 'Cannot convert x into valid entity ID' },
    ],
    [
      'a bad id of a group',
      'user',
      '/group/x',
      400,
      { error: 'Invalid entity ID', details: 'Cannot convert x into valid entity ID' },
    ],
    [
      'an unknown id',
      'user',
      `/report/${PRODUCT_ID}`,
      404,
      { error: 'Entity not found', details: `Entity report_Report with id ${PRODUCT_ID} not found` },
    ],
    [
      'an unknown group',
      'user',
      `/group/${PRODUCT_ID}`,
      404,
      { error: 'Entity not found', details: `Entity report_ReportGroup with id ${PRODUCT_ID} not found` },
    ],
    [
      'a report that is not for the REST API',
      'user',
      '/report/66666666-6666-4666-8666-666666666666',
      404,
      {
        error: 'Entity not found',
        details: 'Entity report_Report with id 66666666-6666-4666-8666-666666666666 not found',
      },
    ],
    [
      'a report for other roles',
      'user',
      '/report/55555555-5555-4555-8555-555555555555',
      404,
      {
        error: 'Entity not found',
        details: 'Entity report_Report with id 55555555-5555-4555-8555-555555555555 not found',
      },
    ],
  ])('refuses %s', async (_, token, path, status, body) => {
    const response = await call(path, {}, token);
    expect([response.status, response.json()]).toEqual([status, body]);
  });

  // Asserts contract/decisions.md#32, contract/reports.md#check-order.
  test.each([
    ['a body that is no JSON', '{x', 400, 'Invalid JSON body', ''],
    [
      'an unknown template',
      { template: 'pdf' },
      400,
      'Template not found',
      `Template with code pdf not found for report ${SALES_ID}`,
    ],
    [
      'a value that cannot be parsed, before a missing one',
      { parameters: [{ name: 'least', value: 'abc' }] },
      400,
      'Invalid parameter value',
      'Parameter "least"',
    ],
    [
      'an unknown constant',
      { parameters: [FROM, { name: 'grade', value: 'G' }] },
      400,
      'Invalid parameter value',
      'one of GOLD, SILVER',
    ],
    [
      'an entity that may not be read',
      { parameters: [FROM, { name: 'secret', value: PRODUCT_ID }] },
      403,
      'Reading forbidden',
      'Reading of the x_Secret is forbidden',
    ],
    [
      'a bad id of an entity',
      { parameters: [FROM, { name: 'product', value: '7' }] },
      400,
      'Invalid entity ID',
      'Cannot convert 7 into valid entity ID',
    ],
    [
      'an entity that does not exist',
      { parameters: [FROM, { name: 'products', values: [PRODUCT_ID, GROUP_ID] }] },
      404,
      'Entity not found',
      `Entity x_Product with id ${GROUP_ID} not found`,
    ],
  ])('refuses to run with %s', async (_, body, status, error, details) => {
    const response = await run(body);
    expect([response.status, response.json()]).toEqual([status, { error, details: expect.stringContaining(details) }]);
  });

  // Asserts contract/reports.md#check-order, contract/reports.md#report-info.
  test.each([
    ['chart', 'CHART'],
    ['pivot', 'PIVOT_TABLE'],
  ])('refuses to run a template that screens draw, before parameters: %s', async (template, type) => {
    const parameters = [{ name: 'who', value: 'nobody' }];
    const { status, json } = await run({ template, parameters }, '/run/code/named');
    const details = `${type} report output type is not supported by Reporting REST API`;
    expect([status, json()]).toEqual([400, { error: 'Run report error', details }]);
    const { templates } = (await call('/report')).json().find(({ code }: { code: string }) => code === 'named');
    expect(templates).toContainEqual({ code: template, outputType: type, default: false });
  });

  // Asserts contract/reports.md#check-order, contract/reports.md#visibility.
  test('refuses to run by an unknown or invisible code', async () => {
    for (const code of ['nothing', 'internal', 'for-bosses'])
      expect((await run({}, `/run/code/${code}`)).json()).toEqual({
        error: 'Entity not found',
        details: `Entity report_Report with code ${code} not found`,
      });
    expect((await run({}, '/run/code/for-bosses', 'boss')).status).toBe(200);
  });

  // Asserts contract/conventions.md#general-rules, contract/reports.md#check-order.
  test('says so where no template is the default', async () => {
    const { status, json } = await run({}, '/run/code/failing');
    expect([status, json()]).toEqual([
      400,
      { error: 'Run report error', details: 'No default template specified for report [Failing]' },
    ]);
  });

  // Asserts contract/reports.md#check-order.
  test('names band and query of data that cannot be loaded, and nothing of the cause', async () => {
    const { status, text, json } = await run({ template: 'only' }, '/run/code/failing');
    expect([status, json()]).toEqual([
      500,
      {
        error: 'Run report error',
        details: 'An error occurred while loading data for band [A] and query [broken]. Report name [Failing]',
      },
    ]);
    expect(text).not.toContain('secret');
  });

  test('cuts the connection when it fails after the first rows, with a line in the log', async () => {
    log.length = 0;
    await expect(run({}, '/run/code/endless')).rejects.toThrow();
    await eventually(() => expect(log.filter((line) => line.includes('"cut":true'))).toHaveLength(1));
  });

  test('names the error when it fails before 64 KiB are written', async () => {
    const parameters = [{ name: 'rows', value: 700 }];
    const { status, json } = await run({ parameters }, '/run/code/endless');
    expect([status, json()]).toEqual([
      500,
      {
        error: 'Run report error',
        details: 'An error occurred while loading data for band [A] and query [rows]. Report name [Endless]',
      },
    ]);
  });

  // Asserts contract/report-templates.md#formats.
  test('refuses html with too many rows', async () => {
    const { status, json } = await run({ template: 'html' }, '/run/code/endless');
    expect([status, json().details]).toEqual([400, expect.stringContaining('100 rows')]);
  });

  // Asserts contract/conventions.md#general-rules, contract/reports.md#check-order, contract/reports.md#routes.
  test('responds 401 without a token, 405 for another method, 413 for a huge body', async () => {
    expect((await fetch(`${server.url}/rest/reports/report`)).status).toBe(401);
    expect((await call(`/run/${SALES_ID}`)).status).toBe(405);
    expect((await run(' '.repeat(1024 * 1024 + 1))).status).toBe(413);
  });

  test('is ready once its definitions are loaded', async () => {
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  });
});
