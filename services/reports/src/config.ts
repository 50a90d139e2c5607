import {
  booleanValue,
  defineSettings,
  durationMsValue,
  integerValue,
  listValue,
  managementSettings,
  platformSettings,
  portValue,
  type SettingsOf,
  setting,
  sizeBytesValue,
  slowQuerySettings,
  textValue,
  urlListValue,
  urlValue,
} from '@lintel/config';
import { converterSettings } from './rendering/converting/settings.ts';

/** The settings of the reports service. */
export const settings = defineSettings({
  platform: platformSettings,
  host: setting('svc.reports.host', textValue().default('127.0.0.1'), 'Address the reports service listens on'),
  port: setting('svc.reports.port', portValue().default(8084), 'Port of the reports service'),
  management: managementSettings('reports', 9184),
  slowQueries: slowQuerySettings,
  databaseUrl: setting(
    'svc.datasource.url',
    textValue(),
    'PostgreSQL URL; of a login in the roles `lintel_sec_reader` and `lintel_report_runner`',
    { secret: true },
  ),
  dataInternalUrls: setting(
    'svc.data.internal-url',
    urlListValue().default(['http://127.0.0.1:9082']),
    'Internal listeners of the replicas of the data service',
  ),
  filesInternalUrl: setting(
    'svc.files.internal-url',
    urlValue().default('http://127.0.0.1:9083'),
    'Internal listener of the files service',
  ),
  dataSilenceMs: setting(
    'svc.reports.data-timeout',
    durationMsValue().default(60_000),
    'Longest silence of the data service while it sends rows',
  ),
  authTimeoutMs: setting(
    'svc.reports.auth-timeout',
    durationMsValue().default(5_000),
    'Longest wait for the auth service',
  ),
  availableLocales: setting(
    'svc.core.available-locales',
    listValue().default(['en']),
    'Locales of the application in underscore form; the first one is the default',
  ),
  maxBodyBytes: setting(
    'svc.reports.max-body-size',
    sizeBytesValue().default(1024 * 1024),
    'Greatest body of a request to run a report',
  ),
  runTimeoutMs: setting(
    'svc.reports.run-timeout',
    durationMsValue().default(5 * 60_000),
    'A run that takes longer is stopped',
  ),
  history: {
    enabled: setting(
      'svc.reports.history-recording-enabled',
      booleanValue().default(false),
      'Whether executions are recorded as `report_ReportExecution`',
    ),
    savesDocuments: setting(
      'svc.reports.save-output-documents-to-history',
      booleanValue().default(false),
      'Whether the documents of recorded executions are kept',
    ),
    maxDays: setting(
      'svc.reports.history-cleanup-max-days',
      integerValue({ min: 0 }).default(730),
      'Executions that began longer ago are removed, with their documents; 0 keeps them',
    ),
    maxPerReport: setting(
      'svc.reports.history-cleanup-max-items-per-report',
      integerValue({ min: 0 }).default(1000),
      'Older executions of a report than so many are removed; 0 keeps them',
    ),
  },
  background: {
    workers: setting(
      'svc.reports.workers',
      integerValue({ min: 0, max: 64 }).default(2),
      'Runs in the background that this process carries out at a time; 0 leaves them to others',
    ),
    timeoutMs: setting(
      'svc.reports.background-run-timeout',
      durationMsValue().default(25 * 60_000),
      'A run in the background that takes longer is stopped; below the `consumer_timeout` of the broker',
    ),
    mostPerUser: setting(
      'svc.reports.max-background-runs-per-user',
      integerValue({ min: 1 }).default(20),
      'Greatest number of runs in the background of one user that have not ended',
    ),
    retentionMs: setting(
      'svc.reports.background-run-retention',
      durationMsValue().default(7 * 24 * 60 * 60_000),
      'How long runs in the background are remembered after their end; their documents stay',
    ),
  },
  htmlMaxRows: setting(
    'svc.reports.html-max-rows',
    integerValue({ min: 1 }).default(50_000),
    'Greatest number of rows, of all bands together, in HTML, PDF, DOCX and text output',
  ),
  xlsxMaxRows: setting(
    'svc.reports.xlsx-max-rows',
    integerValue({ min: 1 }).default(200_000),
    'Greatest number of rows, of all bands together, in a workbook that is not streamed',
  ),
  csvFormulaGuard: setting(
    'svc.reports.csv-formula-guard',
    booleanValue().default(false),
    "Whether CSV output prefixes `'` to texts that begin with `=`, `+`, `-` or `@`",
  ),
  maxRows: setting(
    'svc.reports.max-rows',
    integerValue({ min: 1 }).default(2_000_000),
    'Greatest number of rows of one run, of all bands together',
  ),
  outside: {
    allowedHosts: setting(
      'svc.reports.outside-allowed-hosts',
      listValue().default([]),
      'Hosts that reports may read documents from: `api.example.com`, `*.example.com`, with a port where it is not the usual one',
    ),
    timeoutMs: setting(
      'svc.reports.outside-timeout',
      durationMsValue().default(10_000),
      'Longest wait for a document of another server',
    ),
    maxBytes: setting(
      'svc.reports.outside-max-size',
      sizeBytesValue().default(10 * 1024 * 1024),
      'Greatest document of another server',
    ),
    allowInsecurePrivateAddresses: setting(
      'svc.reports.allow-insecure-private-addresses',
      booleanValue().default(false),
      'Whether allowed hosts may be at addresses of this machine and its network; only where nothing there trusts the caller',
    ),
  },
  converters: converterSettings,
  maxFileBytes: setting(
    'svc.reports.max-picture-size',
    sizeBytesValue().default(10 * 1024 * 1024),
    'Greatest file of a picture in a report',
  ),
  filesTimeoutMs: setting(
    'svc.reports.files-timeout',
    durationMsValue().default(10_000),
    'Longest silence of the files service while it sends a picture',
  ),
  putEmptyRow: setting(
    'svc.reports.put-empty-row-if-no-data-selected',
    booleanValue().default(true),
    'Whether a band without data has one empty row',
  ),
});

export type ReportsConfig = SettingsOf<typeof settings>;
