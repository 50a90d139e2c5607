// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { partOfDocument } from '@lintel/testkit';
import { as, type Response, send, unique } from '../api.ts';
import { newUser } from '../new-user.ts';

/** Of this run of the tests. */
const CODE = `office-${Date.now()}`;
const copyOf = (id: string, user = 'admin', more: object = {}): Promise<Response> =>
  as(user, 'POST', `/reports/report/${id}/copy`, { body: { name: `Copy ${CODE}`, code: CODE, ...more } });
const idOf = async (code: string): Promise<string> => {
  const reports: readonly { code?: string; id: string }[] = (await as('admin', 'GET', '/reports/report')).json();
  return reports.find((report) => report.code === code)?.id ?? '';
};
const remove = (id: string): Promise<Response> => as('admin', 'DELETE', `/entities/report_Report/${id}`);
const stored = (id: string): Promise<Response> =>
  as(
    'admin',
    'GET',
    `/entities/report_Report/${id}?fetchPlan=${encodeURIComponent('{"entity":"report_Report","properties":["name","code","definition",{"name":"templates","fetchPlan":"_local"}]}')}`,
  );

describe('copies (contract/reports.md#copy)', () => {
  test('a report in code is copied with its templates, and the copy makes the same documents', async () => {
    const copied = await copyOf(await idOf('price-list'));
    expect([copied.status, copied.json()]).toEqual([201, { id: expect.any(String), name: `Copy ${CODE}`, code: CODE }]);
    const { id } = copied.json();
    expect(copied.headers.get('location')).toMatch(new RegExp(`/rest/reports/report/${id}$`));
    const run = (code: string, body: object) => as('admin', 'POST', `/reports/run/code/${code}`, { body });
    for (const template of ['DEFAULT', 'xlsx']) {
      const [one, other] = [await run('price-list', { template }), await run(CODE, { template })];
      expect([other.status, other.text.length > 100]).toEqual([200, true]);
      if (template === 'DEFAULT') expect(other.text).toBe(one.text);
    }
    const { templates, name, code } = (await stored(id)).json();
    expect([name, code, templates.map((one: { name: string }) => one.name).toSorted()]).toEqual([
      `Copy ${CODE}`,
      CODE,
      ['price-list.html', 'price-list.xlsx'],
    ]);
    for (const taken of [{ code: null }, { name: `Other ${CODE}` }]) {
      const refused = await copyOf(id, 'admin', taken);
      expect([refused.status, refused.json()]).toMatchObject([409, { error: 'Unique constraint violation' }]);
    }
    const again = await copyOf(id, 'admin', { name: `Again ${CODE}`, code: null });
    expect(again.status).toBe(201);
    const both = [await stored(id), await stored(again.json().id)].map((one) => one.json());
    expect(both[1]?.definition).toBe(both[0]?.definition);
    const filesOf = (report: { templates: readonly { content: string }[] }) =>
      report.templates.map(({ content }) => content);
    expect(filesOf(both[0]).some((file) => filesOf(both[1]).includes(file))).toBe(false);
    // Uploads of its author: a copy that was not saved leaves files that operators can list and remove.
    const fileRefs = filesOf(both[1]);
    const removal = await as('admin', 'POST', '/operations/unreferenced-files/remove', { body: { fileRefs } });
    expect(removal.json()).toEqual(fileRefs.map((fileRef) => ({ fileRef, result: 'recent' })));
    await remove(again.json().id);
    expect((await run(CODE, { template: 'DEFAULT' })).status).toBe(200);
    await remove(id);
  });

  // Asserts contract/reports.md#copy.
  test('of the roles those are kept that the caller may give; SQL needs its permission', async () => {
    const definition = JSON.stringify({ bands: [{ name: 'A' }], roles: ['system-full-access', 'sales-manager'] });
    const body = { name: `Roles ${CODE}`, code: `roles-${CODE}`, restAccess: true, definition };
    const { id } = (await as('admin', 'POST', '/entities/report_Report', { body })).json();
    const copied = (await copyOf(id)).json();
    expect(JSON.parse((await stored(copied.id)).json().definition).roles).toEqual([
      'system-full-access',
      'sales-manager',
    ]);
    await remove(copied.id);
    await remove(id);
  });

  const entityRights = (entity: string) => [
    { type: 'entity', resource: entity, action: 'all', effect: 'allow' },
    { type: 'entityAttribute', resource: `${entity}.*`, action: 'modify', effect: 'allow' },
  ];
  /** The code of a role that keeps reports, and a request with the token of a user who has it. */
  async function keeper(rowLevelPolicies: readonly object[] = []) {
    const code = unique('keeper');
    const specific = ['rest.enabled', 'reports.rest.enabled', 'rest.fileUpload.enabled', 'rest.fileDownload.enabled'];
    const resourcePolicies = [
      ...['report_Report', 'report_ReportTemplate', 'report_ReportGroup'].flatMap(entityRights),
      ...specific.map((resource) => ({ type: 'specific', resource, action: 'access', effect: 'allow' })),
    ];
    const body = { code, name: code, scopes: ['API'], resourcePolicies };
    expect((await as('admin', 'POST', '/entities/sec_ResourceRole', { body })).status).toBe(201);
    const rules = rowLevelPolicies.length === 0 ? [] : [unique('rule')];
    for (const rule of rules) {
      const ruled = { body: { code: rule, name: rule, rowLevelPolicies } };
      expect((await as('admin', 'POST', '/entities/sec_RowLevelRole', ruled)).status).toBe(201);
    }
    const { token } = await newUser([code], rules);
    const ask = (method: string, path: string, sent?: object): Promise<Response> =>
      send(method, `/rest${path}`, { headers: { authorization: `Bearer ${token}` }, body: sent });
    return { code, ask };
  }

  test('a copy loses the roles whose rights its author does not have', async () => {
    const { code, ask } = await keeper();
    const roles = ['system-full-access', 'report-run-api', code];
    const definition = JSON.stringify({ bands: [{ name: 'A' }], roles });
    const body = { name: `Bounded ${CODE}`, code: `bounded-${CODE}`, restAccess: true, definition };
    const { id } = (await as('admin', 'POST', '/entities/report_Report', { body })).json();
    const copied = await ask('POST', `/reports/report/${id}/copy`, { name: `Copy ${CODE}`, code: CODE });
    expect([copied.status, copied.text]).toEqual([201, expect.any(String)]);
    const kept = (await stored(copied.json().id)).json().definition;
    expect(JSON.parse(kept).roles).toEqual(['report-run-api', code]);
    await remove(copied.json().id);
    await remove(id);
  });

  test.each([
    ['templates', 'report_ReportTemplate', 403],
    ['the report', 'report_Report', 404],
  ])('a caller from whom a row-level policy hides %s copies nothing', async (_case, entityName, status) => {
    const { ask } = await keeper([{ type: 'query', entityName, action: 'read', whereClause: "{E}.code = 'other'" }]);
    const body = {
      name: `Ruled ${CODE}`,
      code: `ruled-${CODE}`,
      restAccess: true,
      definition: '{"bands":[{"name":"A"}]}',
    };
    const { id } = (await as('admin', 'POST', '/entities/report_Report', { body })).json();
    const copied = await ask('POST', `/reports/report/${id}/copy`, { name: `Copy ${CODE}`, code: CODE });
    expect([copied.status, copied.text]).toEqual([status, expect.not.stringContaining(CODE)]);
    expect(await idOf(CODE)).toBe('');
    await remove(id);
  });

  // Asserts contract/reports.md#copy.
  test('a report whose code cannot be stored is refused, naming the functions', async () => {
    const response = await copyOf(await idOf('order-invoice'));
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Run report error', details: expect.stringContaining('bands.1.dataSets.0.rows') },
    ]);
  });

  // Asserts contract/reports.md#copy.
  test('names that are taken or missing are refused, and nothing is left', async () => {
    const id = await idOf('price-list');
    expect((await copyOf(id, 'admin', { code: 'price-list' })).status).toBe(400);
    const missing = await as('admin', 'POST', `/reports/report/${id}/copy`, { body: { code: CODE } });
    expect([missing.status, missing.json().details]).toEqual([400, expect.stringContaining('name')]);
    expect((await copyOf(id, 'admin', { name: ' ' })).status).toBe(400);
    expect((await copyOf('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await copyOf(id, 'manager')).status).toBe(403);
    expect(await idOf(CODE)).toBe('');
  });
});

describe('drafts (contract/reports.md#drafts)', () => {
  const DRAFT = {
    title: `Orders ${CODE}`,
    entity: 'sales_Order',
    attributes: ['number', 'customer.name', 'date', 'amount'],
    groups: ['status', 'customer.grade'],
    totals: [{ attribute: 'amount', function: 'sum' }],
    filter: [
      { attribute: 'date', operator: '>=', defaultExpression: 'startOfYear-20' },
      { attribute: 'number', operator: 'contains' },
    ],
    sort: ['-date'],
  };
  const draft = (body: object = DRAFT, user = 'admin') => as(user, 'POST', '/reports/definition/draft', { body });

  // Asserts contract/reports.md#drafts.
  test.each(['XLSX', 'DOCX'])(
    'a draft with a template %s is an ordinary report that can be saved and run',
    async (type) => {
      const made = (await draft({ ...DRAFT, template: type })).json();
      const [template] = made.templates;
      const file = Buffer.from(template.content, 'base64');
      const uploaded = await as('admin', 'POST', `/files?name=${encodeURIComponent(template.name)}`, {
        body: file as never,
        headers: { 'content-type': 'application/octet-stream' },
      });
      const content = uploaded.json().fileRef;
      const checked = await as('admin', 'POST', '/reports/definition/check', {
        body: { definition: made.definition, templates: [{ name: template.name, content }] },
      });
      expect(checked.json()).toEqual({ problems: [] });
      const one = { code: 'DEFAULT', reportOutputType: type, isDefault: true, name: template.name, content };
      const body = { name: DRAFT.title, code: CODE, restAccess: true, definition: made.definition, templates: [one] };
      const { id } = (await as('admin', 'POST', '/entities/report_Report', { body })).json();
      const info = (await as('admin', 'GET', `/reports/report/${id}`)).json();
      expect(info.inputParameters.map(({ alias, type }: { alias: string; type: string }) => [alias, type])).toEqual([
        ['date_1', 'DATE'],
        ['number_2', 'TEXT'],
      ]);
      const all = (await as('admin', 'POST', `/reports/report/${id}/data`, { body: {} })).json();
      const total = all.bands.find(({ name }: { name: string }) => name === 'Total').rows[0].amount;
      const groups = all.bands.find(({ name }: { name: string }) => name === 'Group1').rows;
      const sum = groups.reduce(
        (cents: number, { amount }: { amount: string }) => cents + Math.round(Number(amount) * 100),
        0,
      );
      expect(sum).toBe(Math.round(Number(total) * 100));
      const run = await as('admin', 'POST', `/reports/run/${id}`, { body: {} });
      expect([run.status, run.text.length > 1_000]).toEqual([200, true]);
      await remove(id);
    },
  );

  // Asserts contract/reports.md#drafts.
  test('a draft is run without being saved', async () => {
    const run = await as('admin', 'POST', '/reports/definition/draft/run', { body: { draft: DRAFT } });
    expect([run.status, run.headers.get('content-type')]).toEqual([200, expect.stringContaining('spreadsheetml')]);
    const word = await as('admin', 'POST', '/reports/definition/draft/run', {
      body: { draft: { ...DRAFT, template: 'DOCX' } },
    });
    expect([word.status, word.headers.get('content-type')]).toEqual([200, expect.stringContaining('wordprocessingml')]);
  });

  // Asserts contract/reports.md#drafts.
  test.each<[string, object, number, string]>([
    ['an unknown entity', { entity: 'sales_None' }, 400, 'sales_None'],
    ['an unknown attribute', { attributes: ['nothing'] }, 400, 'nothing'],
    [
      'a secret attribute',
      { entity: 'sec_User', attributes: ['password'], groups: [], totals: [], filter: [], sort: [] },
      400,
      'password',
    ],
    ['a path through a collection', { attributes: ['lines.quantity'] }, 400, 'lines'],
    ['a path that ends with a reference', { attributes: ['customer'] }, 400, 'customer'],
    ['a sum of texts', { totals: [{ attribute: 'number', function: 'sum' }] }, 400, 'number has no sum'],
    ['a total of no column', { totals: [{ attribute: 'discount', function: 'sum' }] }, 400, 'discount'],
    ['an unknown default', { filter: [{ attribute: 'date', operator: '>=', defaultExpression: 'soon' }] }, 400, 'soon'],
    ['an operator of other types', { filter: [{ attribute: 'date', operator: 'contains' }] }, 400, 'contains'],
    ['an unknown member', { more: 1 }, 400, 'more'],
    ['an invisible title', { title: '\u200b' }, 400, 'title'],
    ['another kind of template', { template: 'ODT' }, 400, 'template'],
    ['a title with an alias', { title: '${Header.x}' }, 400, 'title'],
  ])('%s is refused and named', async (_case, more, status, named) => {
    const response = await draft({ ...DRAFT, ...more });
    expect([response.status, response.json().details]).toEqual([status, expect.stringContaining(named)]);
  });

  // Asserts contract/reports.md#drafts.
  test('the right to update reports is needed', async () => {
    expect((await draft(DRAFT, 'manager')).status).toBe(403);
  });

  // Asserts contract/reports.md#drafts.
  test('the workbook has a title, a frozen header and print titles', async () => {
    const [template] = (await draft()).json().templates;
    const file = Buffer.from(template.content, 'base64');
    expect(partOfDocument(file, 'xl/workbook.xml')).toContain('_xlnm.Print_Titles');
    expect(partOfDocument(file, 'xl/worksheets/sheet1.xml')).toContain('state="frozen"');
    expect(partOfDocument(file, 'xl/sharedStrings.xml')).toContain(DRAFT.title);
  });
});
