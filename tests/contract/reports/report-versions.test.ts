import { setTimeout as sleep } from 'node:timers/promises';
import { as, unique } from '../api.ts';

interface Version {
  readonly number: number;
  readonly createdAt: string;
  readonly username: string;
  readonly comment: string | null;
}

const definitionOf = (band: string): string => JSON.stringify({ bands: [{ name: band }] });

const upload = async (text: string): Promise<string> =>
  (await as('admin', 'POST', '/files?name=rows.csv', { body: text, headers: { 'content-type': 'text/csv' } })).json()
    .fileRef;

/** A report with one template, and what it was created with. */
async function create(code = unique('versions')) {
  const content = await upload('first\n');
  const template = { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'rows.csv', content };
  const body = { name: code, code, restAccess: true, definition: definitionOf('First'), templates: [template] };
  const created = await as('admin', 'POST', '/entities/report_Report?responseFetchPlan=_local', { body });
  expect(created.status).toBe(201);
  const { id } = created.json() as { readonly id: string };
  return { id, code, content, template, path: `/entities/report_Report/${id}` };
}

const update = async (path: string, body: object): Promise<void> => {
  const response = await as('admin', 'PUT', path, { body });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
};
const versionsOf = async (path: string, query = ''): Promise<readonly Version[]> => {
  const response = await as('admin', 'GET', `${path}/versions${query}`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.json();
};

/** The reports service knows a new report within a second. */
async function untilKnown(report: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await as('admin', 'GET', report)).status === 200) return;
    await sleep(50);
  }
  throw new Error('The reports service does not know the new report');
}

describe('versions of reports (contract/reports.md#versions)', () => {
  test('every change of a report or of its templates is a version with its user; the newest is the first', async () => {
    const { id, path, content } = await create();
    await update(path, { definition: definitionOf('Second') });
    const replaced = await upload('second\n');
    const [stored] = (await as('admin', 'GET', `${path}?fetchPlan=${PLAN}`)).json().templates as { id: string }[];
    await update(`/entities/report_ReportTemplate/${stored?.id}`, { content: replaced });
    // Nothing changes.
    await update(path, { definition: definitionOf('Second') });
    const versions = await versionsOf(path);
    expect(versions).toHaveLength(3);
    expect(versions[0]).toEqual({
      number: expect.any(Number),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      username: 'admin',
      comment: null,
    });
    const numbers = versions.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    const contents = await Promise.all(
      numbers.map(async (number) => (await as('admin', 'GET', `${path}/versions/${number}`)).json()),
    );
    expect(
      contents.map(({ definition, templates }) => [definition, (templates as { content: string }[])[0]?.content]),
    ).toEqual([
      [definitionOf('Second'), replaced],
      [definitionOf('Second'), content],
      [definitionOf('First'), content],
    ]);
    const { templates, ...attributes } = contents[2] as Record<string, unknown>;
    expect(attributes).toEqual({
      ...versions[2],
      name: expect.any(String),
      code: expect.any(String),
      localeNames: null,
      description: null,
      group: null,
      restAccess: true,
      definition: definitionOf('First'),
    });
    expect(templates).toEqual([
      {
        code: 'DEFAULT',
        reportOutputType: 'CSV',
        isDefault: true,
        name: 'rows.csv',
        content,
        outputNamePattern: null,
      },
    ]);
    expect(id).toBeDefined();
  });

  // Asserts contract/reports.md#versions.
  test('they are read page by page, from a number downwards', async () => {
    const { path } = await create();
    for (const band of ['A', 'B', 'C']) await update(path, { definition: definitionOf(band) });
    const first = await versionsOf(path, '?limit=3');
    const second = await versionsOf(path, `?limit=3&before=${first.at(-1)?.number}`);
    expect([first.length, second.length]).toEqual([3, 1]);
    expect([...first, ...second]).toEqual(await versionsOf(path));
    const bad = await Promise.all(
      ['limit=0', 'limit=101', 'before=x'].map(async (query) => as('admin', 'GET', `${path}/versions?${query}`)),
    );
    expect(bad.map(({ status, text }) => [status, /(limit|before) must be an integer from/.test(text)])).toEqual([
      [400, true],
      [400, true],
      [400, true],
    ]);
  });

  // Asserts contract/reports.md#versions.
  test('two versions are compared by attributes, and by templates with their codes', async () => {
    const { path, content, template } = await create();
    const added = { ...template, code: 'other', isDefault: false };
    await update(path, { description: 'Described', templates: [{ ...template, name: 'new.csv' }, added] });
    const [newest, oldest] = await versionsOf(path);
    const compare = (query = '') =>
      as('admin', 'GET', `${path}/versions/${oldest?.number}/difference${query}`).then((response) => response.json());
    const difference = await compare();
    expect(difference).toMatchObject({
      from: oldest?.number,
      to: newest?.number,
      attributes: [{ attribute: 'description', from: null, to: 'Described' }],
      templates: [
        { code: 'DEFAULT', change: 'changed', attributes: [{ attribute: 'name', from: 'rows.csv', to: 'new.csv' }] },
        { code: 'other', change: 'added' },
      ],
    });
    expect(difference.templates[1].attributes).toContainEqual({ attribute: 'content', from: null, to: content });
    expect(await compare(`?with=${newest?.number}`)).toEqual(difference);
    expect(await compare(`?with=${oldest?.number}`)).toMatchObject({ attributes: [], templates: [] });
  });

  // Asserts contract/reports.md#versions.
  test('a version is restored as a new one, with its templates and a comment', async () => {
    const { path, code, template, content } = await create();
    const [first] = await versionsOf(path);
    const other = await upload('other\n');
    await update(path, {
      name: `${code} changed`,
      definition: definitionOf('Second'),
      templates: [{ ...template, code: 'other', content: other }],
    });
    const restore = (body?: object) => as('admin', 'POST', `${path}/versions/${first?.number}/restore`, { body });
    const restored = await restore({ comment: 'As in May' });
    expect([restored.status, restored.json()]).toEqual([
      200,
      expect.objectContaining({ username: 'admin', comment: 'As in May' }),
    ]);
    const report = (await as('admin', 'GET', `${path}?fetchPlan=${PLAN}`)).json();
    expect([report.name, report.definition, report.templates.length]).toEqual([code, definitionOf('First'), 1]);
    expect(report.templates[0]).toMatchObject({ code: 'DEFAULT', content });
    expect(await versionsOf(path)).toHaveLength(3);
    // The report has this content: nothing is made.
    expect((await restore()).json()).toEqual(restored.json());
    expect((await as('admin', 'GET', `/files?fileRef=${encodeURIComponent(other)}`)).status).toBe(200);
  });

  // Asserts contract/reports.md#versions.
  test('a restore is an update: a stored tag, and rules of reports, refuse it', async () => {
    const { path, code } = await create();
    const [first] = await versionsOf(path);
    await update(path, { name: `${code} renamed`, code: `${code}-renamed` });
    await create(code);
    const target = `${path}/versions/${first?.number}/restore`;
    const stale = await as('admin', 'POST', target, { headers: { 'if-match': '"0"' } });
    const taken = await as('admin', 'POST', target);
    expect([stale.status, taken.status]).toEqual([412, 409]);
    expect(await versionsOf(path)).toHaveLength(2);
  });

  // Asserts contract/reports.md#version-previews.
  test('a version is run as it is, with its templates and parameters; nothing of the report changes', async () => {
    const { id, path, template } = await create();
    const [first] = await versionsOf(path);
    const content = await upload('second\n');
    await update(path, {
      definition: JSON.stringify({ parameters: [{ alias: 'day', name: 'Day', type: 'DATE' }], bands: [{ name: 'B' }] }),
      templates: [{ ...template, content }],
    });
    const versions = await versionsOf(path);
    const [second] = versions;
    const reports = `/reports/report/${id}`;
    await untilKnown(reports);
    const described = await Promise.all(
      [first, second].map((version) => as('admin', 'GET', `${reports}/versions/${version?.number}`)),
    );
    expect(described.map((response) => response.json().inputParameters.length)).toEqual([0, 1]);
    expect(described[0]?.json().templates).toEqual([{ code: 'DEFAULT', outputType: 'CSV', default: true }]);
    const run = (number: number | undefined, body?: object) =>
      as('admin', 'POST', `${reports}/versions/${number}/run`, { body, headers: { prefer: 'respond-async' } });
    const documents = await Promise.all([first, second].map((version) => run(version?.number)));
    expect(documents.map(({ status, text }) => [status, text.trim()])).toEqual([
      [200, '"first"'],
      [200, '"second"'],
    ]);
    const data = await as('admin', 'POST', `${reports}/versions/${first?.number}/data`);
    expect(data.json().bands.map(({ name }: { name: string }) => name)).toEqual(['Root', 'First']);
    expect(await versionsOf(path)).toEqual(versions);
    const unknown = await run(9_999_999);
    expect([unknown.status, unknown.json()]).toEqual([
      404,
      { error: 'Not found', details: 'There is no version 9999999 of the report' },
    ]);
    const template404 = await run(first?.number, { template: 'none' });
    expect([template404.status, template404.json().error]).toEqual([400, 'Template not found']);
    const refused = await as('manager', 'POST', `${reports}/versions/${first?.number}/run`);
    expect([refused.status, refused.json().error]).toEqual([403, 'Updating forbidden']);
  });

  // Asserts contract/reports.md#versions.
  test('a comment is changed and removed', async () => {
    const { path } = await create();
    const [version] = await versionsOf(path);
    const target = `${path}/versions/${version?.number}`;
    const set = (body: unknown) => as('admin', 'PATCH', target, { body });
    expect((await set({ comment: 'The first' })).json()).toEqual({ ...version, comment: 'The first' });
    expect((await versionsOf(path))[0]).toEqual({ ...version, comment: 'The first' });
    expect((await set({ comment: null })).json()).toEqual(version);
    const bad = await Promise.all(
      [{}, { comment: 1 }, { comment: 'c'.repeat(1_001) }, { comment: null, other: 1 }].map(set),
    );
    expect(bad.map(({ status, text }) => [status, /comment: |other/.test(text)])).toEqual(bad.map(() => [400, true]));
  });

  // Asserts contract/reports.md#versions.
  test.each([
    ['GET', '/0'],
    ['GET', '/x'],
    ['GET', '/9999999'],
    ['GET', '/9999999/difference'],
    ['PATCH', '/9999999'],
    ['POST', '/9999999/restore'],
  ])('%s of the unknown version %s returns 404', async (method, rest) => {
    const { path } = await known();
    const body = method === 'GET' ? undefined : { comment: 'Comment' };
    const response = await as('admin', method, `${path}/versions${rest}`, { body });
    expect([response.status, response.json()]).toEqual([
      404,
      { error: 'Not found', details: 'There is no such version' },
    ]);
  });

  // Asserts contract/reports.md#versions.
  test('they need the right to change reports, and a report that the caller sees', async () => {
    const { path } = await known();
    const refused = await as('manager', 'GET', `${path}/versions`);
    expect([refused.status, refused.json().error]).toEqual([403, 'Updating forbidden']);
    expect((await as('clerk', 'GET', `${path}/versions`)).status).toBe(403);
    const bad = await as('admin', 'GET', '/entities/report_Report/none/versions');
    expect([bad.status, bad.json().error]).toEqual([400, 'Invalid entity ID']);
    const gone = await create();
    expect((await as('admin', 'DELETE', gone.path)).status).toBe(204);
    const missing = await as('admin', 'GET', `${gone.path}/versions`);
    expect([missing.status, missing.json()]).toEqual([404, expect.objectContaining({ error: 'Entity not found' })]);
  });
});

const PLAN = encodeURIComponent(
  JSON.stringify({
    entity: 'report_Report',
    extends: '_local',
    properties: [{ name: 'templates', fetchPlan: '_local' }],
  }),
);

let shared: ReturnType<typeof create> | undefined;
/** One report for all tests that only read. */
const known = (): ReturnType<typeof create> => {
  shared ??= create();
  return shared;
};
