// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of reports look like placeholders
import { Readable } from 'node:stream';
import type { ReportDataSet, ReportDefinition, ReportParameter } from '@lintel/application';
import { ConfigurationError } from '@lintel/config';
import { buildModel, enumeration, standardEntity, string } from '@lintel/metadata';
import { TemplateMemory } from '../limits/template-memory.ts';
import { combineCatalogue, type LoadedReport, loadReportCatalogue } from './report-catalogue.ts';

const model = buildModel({
  entities: [standardEntity('x_Product', { attributes: { name: string(10) } })],
  enums: [enumeration('x.Grade', { GOLD: 'G' })],
  fetchPlans: [],
});
const good: ReportDefinition = {
  id: '11111111-1111-4111-8111-111111111111',
  code: 'good',
  name: 'Good',
  restAccess: true,
  bands: [{ name: 'A' }],
  templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true, file: 'a.csv' }],
};
const FILES: Readonly<Record<string, string>> = {
  'a.csv': 'A\n',
  'broken.html': '{% for %}',
  'a.docx': 'x',
  'a.html': 'x',
};

const load = (...reports: readonly ReportDefinition[]) =>
  loadReportCatalogue(
    { model, resourceRoles: new Map(), reports, reportGroups: [] },
    async (file) => {
      const text = FILES[file];
      if (text === undefined) throw new ConfigurationError([`The resource ${file} cannot be read`]);
      return new TextEncoder().encode(text);
    },
    { maxTags: 5_000 },
  );

test('a good definition is found by id and by code', async () => {
  const catalogue = await load(good);
  expect(catalogue.findById(good.id)?.definition).toBe(good);
  const found = catalogue.findByCode('good');
  const [template] = good.templates;
  if (template === undefined) throw new Error('The report has a template');
  const readFile = () => Promise.reject(new Error('It is in no file'));
  const memory = new TemplateMemory({ maxBytes: 0, maxWaitMs: 0 });
  const { signal } = new AbortController();
  const used = await found?.compile(template, { readFile, limits: { maxTags: 5_000 }, memory, signal });
  expect(used?.template.kind).toBe('csv');
  expect(catalogue.findByCode('other')).toBeUndefined();
});

// Asserts contract/decisions.md#65, contract/reports.md#report-info.
test('reports without a code are found by their ids only; problems name the id', async () => {
  const { code: _code, ...uncoded } = good;
  const other = { ...uncoded, id: '22222222-2222-4222-8222-222222222222' };
  const catalogue = await load(uncoded, other);
  expect(catalogue.reports.map(({ definition }) => definition)).toEqual([uncoded, other]);
  expect(catalogue.findById(other.id)?.definition).toBe(other);
  expect(catalogue.findByCode('undefined')).toBeUndefined();
  await expect(load({ ...uncoded, templates: [] })).rejects.toThrow(`${good.id}: it has no template`);
  await expect(load({ ...uncoded, ...template('none.csv', 'CSV') })).rejects.toThrow(
    `${good.id}: template DEFAULT: The resource none.csv cannot be read`,
  );
});

// Asserts contract/reports.md#report-info.
test('a report of the database gives way to one of the application with its code or its id', async () => {
  const stored = (id: number, code?: string): LoadedReport => ({
    definition: {
      id: `${id}`.repeat(8) + good.id.slice(8),
      ...(code && { code }),
      name: 'S',
      restAccess: true,
      bands: [],
      templates: [],
    },
    isStored: true,
    problems: [],
    compile: () => Promise.reject(new Error('not compiled')),
    streamFile: () => Readable.from([]),
  });
  const uncoded = stored(3);
  const catalogue = combineCatalogue(await load(good), {
    reports: [stored(1), stored(2, 'good'), uncoded, stored(4, 'other')],
    groups: [],
  });
  expect(catalogue.reports.map(({ definition }) => definition.id[0])).toEqual(['1', '3', '4']);
  expect(catalogue.findById(good.id)?.definition).toBe(good);
  expect(catalogue.findById(uncoded.definition.id)).toBe(uncoded);
});

const dataSet = (set: ReportDataSet) => ({ bands: [{ name: 'A', dataSets: [set] }] });

const template = (file: string, outputType: 'CSV' | 'HTML' | 'PDF' | 'DOCX' | 'XLSX', more = {}) => ({
  templates: [{ code: 'DEFAULT', outputType, file, ...more }],
});

const dateBy = (more: Partial<ReportParameter>): Partial<ReportDefinition> => ({
  parameters: [{ alias: 'p', name: 'P', type: 'DATE', ...more }],
});
const LOOKUP = { type: 'ENTITY', entity: 'x_Product' } as const;

test.each<[string, Partial<ReportDefinition>]>([
  ['is no UUID', { id: '7' }],
  ['the code is empty', { code: ' ' }],
  ['no report group g', { group: 'g' }],
  ['no role r', { roles: ['r'] }],
  [
    'two parameters are named p',
    {
      parameters: [
        { alias: 'p', name: 'P', type: 'TEXT' },
        { alias: 'p', name: 'P', type: 'TEXT' },
      ],
    },
  ],
  ['no entity (none named)', { parameters: [{ alias: 'p', name: 'P', type: 'ENTITY' }] }],
  ['no enum x.None', { parameters: [{ alias: 'p', name: 'P', type: 'ENUMERATION', enumeration: 'x.None' }] }],
  [
    'the default value is not valid',
    { parameters: [{ alias: 'p', name: 'P', type: 'DATE', defaultValue: '1.1.2026' }] },
  ],
  [
    'parameter p: there is no validate; did you mean validation?',
    dateBy({ required: true, ...{ validate: () => 'no' } }),
  ],
  [
    'data set s: there is no filtr; did you mean filter?',
    dataSet({ ...{ filtr: {} }, kind: 'entities', name: 's', entity: 'x_Product', fetchPlan: '_base' }),
  ],
  [
    'data set s: there is no entity',
    dataSet({ ...{ entity: 'x' }, kind: 'function', name: 's', rows: async () => [] }),
  ],
  ['there is no default expression startOfDecade', dateBy({ defaultExpression: 'startOfDecade' })],
  ['today is no default of TEXT', dateBy({ type: 'TEXT', defaultExpression: 'today' })],
  ['today is no default of TIME', dateBy({ type: 'TIME', defaultExpression: 'today' })],
  ['currentUser is no default of DATE', dateBy({ defaultExpression: 'currentUser' })],
  ['another default than its expression', dateBy({ defaultExpression: 'today', defaultValue: '2026-01-01' })],
  ['only ENTITY and ENTITY_LIST have a lookupFilter', dateBy({ lookupFilter: {} })],
  ["'property' is not defined", dateBy({ ...LOOKUP, lookupFilter: { conditions: [{}] } })],
  [
    'has no attribute nam',
    dateBy({ ...LOOKUP, lookupFilter: { conditions: [{ property: 'nam', operator: '=', value: 'x' }] } }),
  ],
  ['can be the current date', { parameters: [{ alias: 'p', name: 'P', type: 'TEXT', defaultDateIsCurrent: true }] }],
  ['two bands are named A', { bands: [{ name: 'A', bands: [{ name: 'A' }] }] }],
  ['two bands are named Root', { bands: [{ name: 'Root' }] }],
  ['letters, digits and underscores', { bands: [{ name: 'a b' }] }],
  ['one data set named …dynamic_header', { bands: [{ name: 'A', orientation: 'cross' }] }],
  ['a cross band has no child bands', { bands: [{ name: 'A', orientation: 'cross', bands: [{ name: 'B' }] }] }],
  [
    'no entity x_None',
    { bands: [{ name: 'A', dataSets: [{ kind: 'entities', name: 's', entity: 'x_None', fetchPlan: '_base' }] }] },
  ],
  [
    'there is no entity x_Prodcut; did you mean x_Product?',
    dataSet({ kind: 'entities', name: 's', entity: 'x_Prodcut', fetchPlan: '_base' }),
  ],
  [
    'there is no fetch plan _bsae of x_Product; did you mean _base?',
    dataSet({ kind: 'entities', name: 's', entity: 'x_Product', fetchPlan: '_bsae' }),
  ],
  [
    'nmae',
    dataSet({
      kind: 'entities',
      name: 's',
      entity: 'x_Product',
      fetchPlan: { properties: ['nmae'] },
    }),
  ],
  [
    'x_Product has no attribute nmae; did you mean name?',
    dataSet({ kind: 'entities', name: 's', entity: 'x_Product', fetchPlan: '_base', sort: '-nmae' }),
  ],
  ['there is no parameter none', dataSet({ kind: 'sql', name: 's', sql: 'select ${none}' })],
  ['data set s: Expected the name of a parameter', dataSet({ kind: 'sql', name: 's', sql: 'select ${' })],
  [
    'no parameter B.x',
    dataSet({ kind: 'query', name: 's', query: 'select p.name as n from x_Product p where p.name = ${B.x}' }),
  ],
  [
    'Property for x_Product not found: none',
    dataSet({ kind: 'aggregates', name: 's', entity: 'x_Product', question: { groupBy: ['none'] } }),
  ],
  [
    'there is no entity x_None',
    dataSet({ kind: 'aggregates', name: 's', entity: 'x_None', question: { aggregates: { n: { count: '*' } } } }),
  ],
  ['Unknown entity x_None', dataSet({ kind: 'query', name: 's', query: 'select p.name as n from x_None p' })],
  [
    'no fetch plan none of x_Product',
    dataSet({ kind: 'query', name: 's', query: 'select p from x_Product p', fetchPlan: 'none' }),
  ],
  [
    'nmae',
    dataSet({
      ...{ kind: 'query', name: 's', query: 'select p from x_Product p' },
      fetchPlan: { properties: ['nmae'] },
    }),
  ],
  [
    'selects values has no fetch plan',
    dataSet({ kind: 'query', name: 's', query: 'select p.name as n from x_Product p', fetchPlan: '_base' }),
  ],
  ['there is no ENTITY parameter entity', dataSet({ kind: 'entity', name: 's', fetchPlan: '_base' })],
  [
    'there is no ENTITY_LIST parameter p',
    // Asserts contract/conventions.md#bad-input, contract/decisions.md#not-built,
    // contract/report-templates.md#formats, contract/reports.md#code, contract/reports.md#report-info.
    dataSet({ kind: 'entityList', name: 's', parameter: 'p', fetchPlan: '_base' }),
  ],
  ['B.x is no field of a band above: expected Root', dataSet({ kind: 'collection', name: 's', field: 'B.x' })],
  ['band A, data set s', dataSet({ kind: 'json', name: 's', source: { parameter: 'p' }, path: '$[' })],
  ['there is no parameter p', dataSet({ kind: 'json', name: 's', source: { parameter: 'p' }, path: '$' })],
  ['only TEXT can be CONTAINS', { parameters: [{ alias: 'p', name: 'P', type: 'DATE', transformation: 'CONTAINS' }] }],
  ['it has no template', { templates: [] }],
  [
    'several default templates',
    { templates: [good.templates[0] as never, { ...(good.templates[0] as never as object), code: 'B' } as never] },
  ],
  ['cannot be read', template('none.csv', 'CSV')],
  ['PDF from a .csv file is not supported', template('a.csv', 'PDF')],
  ['XLSX from a .docx file is not supported', template('a.docx', 'XLSX')],
  ['no zip archive that can be read', template('a.docx', 'DOCX')],
  ['FreeMarker templates are not supported', template('a.ftl', 'HTML')],
  ['save the document as .docx', template('a.odt', 'PDF')],
  ['save the document as .docx', template('a.doc', 'PDF')],
  ['save the workbook as .xlsx', template('a.xls', 'XLSX')],
  ['JasperReports templates are not supported', template('a.jrxml', 'PDF')],
  ['template DEFAULT', template('broken.html', 'HTML')],
  ['fields of the band Root only', template('a.csv', 'CSV', { outputName: '${A.x}.csv' })],
])('a definition is refused because %s', async (message, change) => {
  await expect(load({ ...good, ...change })).rejects.toThrow(message);
});

// Asserts contract/reports.md#code.
test('two reports with one code or id are refused, and everything wrong is named at once', async () => {
  await expect(load(good, { ...good, roles: ['r'] })).rejects.toThrow(
    /same|two reports have the code good[\s\S]*two reports have the id[\s\S]*no role r/,
  );
});

// Asserts contract/reports.md#code.
test('data sets may name parameters, fields of all bands above, and the axes of their cross band', async () => {
  const cross: ReportDataSet[] = [
    { kind: 'query', name: 'dynamic_header', query: 'select p.id as id from x_Product p where p.name like ${text}' },
    { kind: 'query', name: 'master_data', query: 'select p.name as name from x_Product p' },
    {
      kind: 'query',
      name: 'cells',
      query: `select p.id as T_dynamic_header@id, p.name as T_master_data@name from x_Product p
        where p.id in \${T_dynamic_header@id} and p.createdDate > \${day} and p.id in \${list}`,
    },
  ];
  const below: ReportDataSet = { kind: 'collection', name: 's', field: 'A.items' };
  const catalogue = await load({
    ...good,
    parameters: [
      { alias: 'text', name: 'Text', type: 'TEXT', transformation: 'CONTAINS' },
      { alias: 'day', name: 'Day', type: 'DATE' },
      { alias: 'list', name: 'List', type: 'ENTITY_LIST', entity: 'x_Product' },
    ],
    bands: [
      { name: 'A', bands: [{ name: 'B', dataSets: [below], bands: [{ name: 'C', dataSets: [below] }] }] },
      { name: 'T', orientation: 'cross', dataSets: cross },
    ],
  });
  expect(catalogue.reports).toHaveLength(1);
});
