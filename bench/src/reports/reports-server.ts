// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { defineApplication, report } from '@lintel/application';
import { loadSettings } from '@lintel/config';
import { boolean, decimal, integer, localDate, localDateTime, standardEntity, string } from '@lintel/metadata';
import { createHttpDatasetClient, createReportsService, settings } from '@lintel/reports';
import { applicationRoles } from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { claimsOf, sessionOf } from '../servers/identity.ts';
import { listening } from './listening.ts';

/** The reports service as it is, with one report of ten columns; rows come over HTTP. */
const application = defineApplication({
  id: 'bench',
  name: 'Benchmark',
  entities: [
    standardEntity('bench_Row', {
      attributes: {
        name: string(100),
        sku: string(20),
        number: integer(),
        price: decimal(19, 2),
        sum: decimal(19, 2),
        day: localDate(),
        moment: localDateTime(),
        isPaid: boolean(),
        city: string(100),
        notes: string(200),
      },
    }),
  ],
  reports: [
    report({
      id: '11111111-1111-4111-8111-111111111111',
      code: 'rows',
      name: 'Rows',
      restAccess: true,
      bands: [
        { name: 'Header' },
        { name: 'Rows', dataSets: [{ kind: 'entities', name: 'rows', entity: 'bench_Row', fetchPlan: '_local' }] },
        { name: 'Footer' },
      ],
      templates: [
        { code: 'xlsx', outputType: 'XLSX', default: true, file: 'ten-columns.xlsx' },
        { code: 'csv', outputType: 'CSV', file: 'ten-columns.csv' },
      ],
    }),
  ],
});

const CSV =
  'name,sku,number,price,sum,day,moment,isPaid,city,notes\n${name},${sku},${number},${price},${sum},${day},${moment},${isPaid},${city},${notes}\n';
const nothing = (): never => {
  throw new Error('The benchmark needs none of it');
};
const roles = applicationRoles(application);

/** Creates the server, with the address of the rows. */
export async function createReportsServer(dataUrl: string): Promise<Server> {
  const service = createReportsService(
    {
      application,
      currentRoles: () => roles,
      readTemplate: async (file) =>
        file.endsWith('.csv') ? Buffer.from(CSV) : readFile(new URL(`./${file}`, import.meta.url)),
      datasets: createHttpDatasetClient({
        dataInternalUrls: [dataUrl],
        silenceMs: 60_000,
      }),
      remote: { read: nothing, close: async () => undefined },
      converters: {
        printHtml: nothing,
        convertOffice: nothing,
        findMissing: async () => [],
        findMissingPackage: () => undefined,
        close: async () => undefined,
      },
      files: { read: nothing, stream: nothing },
      serviceTokens: { forRun: () => async () => 'token', forLater: async () => 'token' },
      verifier: { verify: async (token) => claimsOf(token) },
      loadSession: async (id) => sessionOf(id),
      logger: createLogger({ service: 'reports', level: 'warn' }),
      clock: { now: () => Date.now() },
      newId: () => 'run',
    },
    loadSettings(settings, {
      sources: [
        {
          label: 'benchmark',
          kind: 'application',
          values: {
            'svc.internal.secret': 'x',
            'svc.datasource.url': 'postgres://unused',
            'svc.reports.run-timeout': '30m',
          },
        },
      ],
      readSecretFile: () => '',
    }),
  );
  await service.start();
  return createServer(service.app);
}

if (import.meta.main) listening(await createReportsServer(process.env['LINTEL_BENCH_DATA'] ?? ''));
