// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { type ApplicationDefinition, defineApplication, report, withMessages } from '@lintel/application';
import { loadSettings } from '@lintel/config';
import type { AccessClaims, EntityDatasetRequest, Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { listen, type RunningServer } from '@lintel/http';
import { decimal, enumeration, enumOf, long, standardEntity, string } from '@lintel/metadata';
import { readExactJson } from '@lintel/query';
import { applicationRoles, entityPolicy, modifyAttributes, resourceRole, specificPolicy } from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { createReportsService } from '../src/app.ts';
import { settings } from '../src/config.ts';
import type { ReportsPorts } from '../src/reports-ports.ts';

const Grade = enumeration('x.Grade', { GOLD: 'G', SILVER: 'S' });
export const PRODUCT_ID = '11111111-1111-4111-8111-111111111111';
export const SALES_ID = '22222222-2222-4222-8222-222222222222';
const NAMED_GROUP_ID = '33333333-3333-4333-8333-333333333334';
/** A report without a code. */
export const UNCODED_ID = '99999999-9999-4999-8999-999999999999';
export const GROUP_ID = '33333333-3333-4333-8333-333333333333';

const products = (filter?: (parameters: Readonly<Record<string, unknown>>) => unknown) =>
  ({
    kind: 'entities',
    name: 'products',
    entity: 'x_Product',
    fetchPlan: '_local',
    ...(filter && { filter }),
  }) as const;

const definition: ApplicationDefinition = {
  id: 'x',
  name: 'Test',
  entities: [
    standardEntity('x_Product', {
      attributes: { name: string(100), price: decimal(19, 2), grade: enumOf(Grade), barcode: long() },
      instanceName: ['name'],
    }),
    standardEntity('x_Secret', { attributes: { name: string(10) } }),
  ],
  enums: [Grade],
  roles: [
    resourceRole('reader', { name: 'Reader', policies: [entityPolicy('x_Product', 'read')] }),
    resourceRole('no-list', { name: 'No list', policies: [specificPolicy('reports.rest.enabled')] }),
    resourceRole('boss', { name: 'Boss', policies: [] }),
    resourceRole('editor', {
      name: 'Editor',
      policies: [
        specificPolicy('reports.rest.enabled'),
        specificPolicy('rest.enabled'),
        ...['report_Report', 'report_ReportTemplate', 'report_ReportGroup'].flatMap((entity) => [
          entityPolicy(entity, 'all'),
          ...modifyAttributes(entity, '*'),
        ]),
      ],
    }),
  ],
  reportGroups: [
    { id: GROUP_ID, title: 'Lists' },
    { id: NAMED_GROUP_ID, title: 'msg://x/group', code: 'x.named' },
  ],
  reports: [
    report({
      id: SALES_ID,
      code: 'sales',
      name: 'Sales',
      group: GROUP_ID,
      restAccess: true,
      parameters: [
        { alias: 'from', name: 'From', type: 'DATE', required: true },
        { alias: 'grade', name: 'Grade', type: 'ENUMERATION', enumeration: 'x.Grade' },
        { alias: 'least', name: 'Least', type: 'NUMERIC', defaultValue: '0' },
        { alias: 'product', name: 'Product', type: 'ENTITY', entity: 'x_Product' },
        { alias: 'products', name: 'Products', type: 'ENTITY_LIST', entity: 'x_Product' },
        { alias: 'secret', name: 'Secret', type: 'ENTITY', entity: 'x_Secret', hidden: true },
      ],
      bands: [{ name: 'Products', dataSets: [products((parameters) => ({ parameters }))] }],
      templates: [
        {
          code: 'DEFAULT',
          outputType: 'CSV',
          default: true,
          file: 'sales.csv',
          outputName: 'Sales from ${Root.from}.csv',
        },
        { code: 'html', outputType: 'HTML', file: 'sales.html' },
      ],
      formats: { 'Root.from': 'yyyy-MM-dd' },
    }),
    report({
      id: '44444444-4444-4444-8444-444444444444',
      code: 'failing',
      name: 'Failing',
      restAccess: true,
      bands: [
        {
          name: 'A',
          dataSets: [
            {
              kind: 'function',
              name: 'broken',
              rows: () => {
                throw new Error('password=secret');
              },
            },
          ],
        },
      ],
      templates: [{ code: 'only', outputType: 'CSV', file: 'sales.csv' }],
    }),
    report({
      id: '55555555-5555-4555-8555-555555555555',
      code: 'for-bosses',
      name: 'For bosses',
      restAccess: true,
      roles: ['boss'],
      bands: [{ name: 'A' }],
      templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true, file: 'sales.csv' }],
    }),
    report({
      id: '88888888-8888-4888-8888-888888888888',
      code: 'named',
      name: 'msg://x/named',
      group: NAMED_GROUP_ID,
      restAccess: true,
      parameters: [
        {
          alias: 'who',
          name: 'msg:///x/who',
          type: 'TEXT',
          defaultFrom: ({ username, locale }) => `${username} in ${locale}`,
          validation: (value) => (value === 'nobody' ? 'Nobody is no name' : undefined),
        },
        { alias: 'twice', name: 'Twice', type: 'TEXT', transformation: (value) => `${String(value)}${String(value)}` },
      ],
      validation: ({ who, twice }) => (who === twice ? 'Both are the same' : undefined),
      bands: [{ name: 'A' }],
      templates: [
        { code: 'DEFAULT', outputType: 'CSV', default: true, file: 'named.csv' },
        { code: 'chart', outputType: 'CHART', file: 'chart' },
        { code: 'pivot', outputType: 'PIVOT_TABLE', file: 'pivot' },
      ],
    }),
    report({
      id: '66666666-6666-4666-8666-666666666666',
      code: 'internal',
      name: 'Internal',
      restAccess: false,
      bands: [{ name: 'A' }],
      templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true, file: 'sales.csv' }],
    }),
    report({
      id: '77777777-7777-4777-8777-777777777777',
      code: 'endless',
      name: 'Endless',
      restAccess: true,
      parameters: [{ alias: 'rows', name: 'Rows', type: 'NUMERIC', defaultValue: '20000' }],
      bands: [
        {
          name: 'A',
          dataSets: [
            {
              kind: 'function',
              name: 'rows',
              async *rows(parameters) {
                for (let n = 0; ; n += 1) {
                  if (n === Number(parameters['rows'])) throw new Error('too many');
                  yield { name: `row ${n}` };
                }
              },
            },
          ],
        },
      ],
      templates: [
        { code: 'DEFAULT', outputType: 'CSV', default: true, file: 'sales.csv' },
        { code: 'html', outputType: 'HTML', file: 'sales.html' },
      ],
    }),
    report({
      id: UNCODED_ID,
      name: 'Uncoded',
      restAccess: true,
      bands: [{ name: 'A' }],
      templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true, file: 'sales.csv' }],
    }),
  ],
};

const TEMPLATES: Readonly<Record<string, string>> = {
  'named.csv': 'Who,Twice\n${who},${twice}\n',
  'sales.csv': 'Name,Price,Grade\n${name},${price},${grade}\n',
  'sales.html':
    '<p>{{ Root.fields.from }}</p>{% for p in Root.bands.Products %}<b>{{ p.fields.name }}</b>{% endfor %}{{ Root.fields.grade }}',
};
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  user: ['report-run-api', 'reader'],
  boss: ['report-run-api', 'boss'],
  minimal: ['rest-minimal'],
  'no-list': ['no-list'],
  editor: ['editor'],
};
const ROWS = `[{"_entityName":"x_Product","id":"${PRODUCT_ID}","_instanceName":"Pen","name":"Pen <1>","price":1234.50,"grade":"GOLD"},
 {"_entityName":"x_Product","id":"${SALES_ID}","_instanceName":"Ink","name":"=Ink","price":null,"grade":null}]`;

const noFile = (): never => {
  throw new Error('no files here');
};

const sessionOf = (username: string): Session => ({
  id: username,
  username,
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: [...(CALLERS[username] ?? [])],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  createdAt: '2026-11-21T00:00:00Z',
});

/** A data set that was asked for. */
export interface AskedDataset {
  readonly request: EntityDatasetRequest;
  readonly token: string;
}

/** The service with fake callers and a fake data service of two products. */
export async function startReports(
  onRead: (asked: AskedDataset) => void,
  more: Partial<ReportsPorts> = {},
): Promise<RunningServer> {
  const application = withMessages(defineApplication(definition), [
    {
      locale: '',
      texts: { 'x/Grade.GOLD': 'Gold', 'x/named': 'A named report', 'x/who': 'Who', 'x/group': 'Named ones' },
    },
    { locale: 'de', texts: { 'x/Grade.GOLD': 'Edelkunde', 'x/named': 'Ein Bericht', 'x/who': 'Wer' } },
  ]);
  const roles = applicationRoles(application);
  const service = createReportsService(
    {
      application,
      currentRoles: () => roles,
      readTemplate: async (file) => new TextEncoder().encode(TEMPLATES[file]),
      datasets: {
        select: () => {
          throw new Error('No data set of the fixture is a query');
        },
        async *read(request, token) {
          onRead({ request, token: await token() });
          const rows = readExactJson(ROWS) as readonly Record<string, unknown>[];
          const wanted = JSON.stringify(request.filter);
          yield* wanted.includes('"operator":"in"') ? rows.filter(({ id }) => wanted.includes(String(id))) : rows;
        },
      },
      remote: { read: () => Promise.reject(new Error('There are no remote documents')), close: async () => {} },
      serviceTokens: {
        forRun: (subject, run) => async () => `${subject} for ${run}`,
        forLater: async (subject, run) => `${subject} for ${run} later`,
      },
      converters: {
        printHtml: async (html) => new TextEncoder().encode(`printed ${html}`),
        convertOffice: async (_document, from, to) => new TextEncoder().encode(`${to} of ${from}`),
        findMissing: async () => [],
        findMissingPackage: () => undefined,
        close: () => Promise.resolve(),
      },
      files: { read: noFile, stream: noFile },
      verifier: {
        async verify(token) {
          if (CALLERS[token] === undefined) throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
          return { sub: token, sid: token, scope: 'rest-api' } as AccessClaims;
        },
      },
      loadSession: async (id) => sessionOf(id),
      logger: createLogger({ service: 'reports', destination: { write: () => {} } }),
      clock: { now: () => new Date(2026, 10, 21, 12).getTime() },
      newId: () => 'run-1',
      ...more,
    },
    loadSettings(settings, {
      sources: [
        {
          label: 'test',
          kind: 'application',
          values: {
            'svc.internal.secret': 'x',
            'svc.datasource.url': 'postgres://unused',
            'svc.core.available-locales': 'en,de',
            'svc.reports.html-max-rows': '100',
          },
        },
      ],
      readSecretFile: () => '',
    }),
  );
  await service.start();
  const server = await listen(service.app, { host: '127.0.0.1', port: 0 });
  return {
    ...server,
    async close() {
      await server.close();
      await service.close();
    },
  };
}
