import {
  availableLocalesSetting,
  backendSettings,
  booleanValue,
  datasourceSettings,
  dateTimeOffsetSetting,
  defineSettings,
  durationMsValue,
  integerValue,
  listenerSettings,
  listValue,
  platformSettings,
  type ServiceSafety,
  type SettingsOf,
  safeSettings,
  setting,
  stepUpSettings,
  unknownMembersSetting,
  urlListValue,
  urlValue,
} from '@lintel/config';
import { converterSettings } from '@lintel/documents';
import { reportLimitSettings } from './limits/report-limit-settings.ts';

const shape = defineSettings({
  unknownMembers: unknownMembersSetting,
  dateTimeOffset: dateTimeOffsetSetting,
  stepUp: stepUpSettings,
  platform: platformSettings,
  ...listenerSettings('reports', { public: 8084, management: 9184 }),
  database: datasourceSettings('of a login in the roles `lintel_sec_reader` and `lintel_report_runner`'),
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
  availableLocales: availableLocalesSetting,
  /** Length of the body of a request to run a report, then 413: it has parameters, not data. */
  maxBodyBytes: 1024 * 1024,
  runTimeoutMs: setting(
    'svc.reports.run-timeout',
    durationMsValue().default(5 * 60_000),
    'A run that takes longer is stopped',
  ),
  shares: {
    maxRuns: setting(
      'svc.reports.max-concurrent-runs',
      integerValue({ min: 1 }).default(8),
      'Maximum number of runs with a waiting client that a process carries out at the same time; more wait',
    ),
    /** Maximum wait of a run for that, then 429 where other runs of the same user are carried out, else 503: clients and proxies give up after a minute. */
    maxWaitMs: 30_000,
    /** Runs that wait, then 503; more could not begin within the wait. */
    maxWaiting: 200,
    /** Waiting runs of one user, or of one address of anonymous calls, then 429: others keep nine tenths. */
    maxWaitingPerUser: 20,
  },
  limits: reportLimitSettings,
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
      'Runs in the background that a process carries out at the same time; 0 leaves them to other processes',
    ),
    /** Longest run in the background; below the `consumer_timeout` of RabbitMQ, which is half an hour. */
    timeoutMs: 25 * 60_000,
    /** Runs in the background of one user that have not ended. */
    maxPerUser: 20,
    /** How long runs in the background are remembered after their end: a user returns within a week. Documents stay. */
    retentionMs: 7 * 24 * 60 * 60_000,
  },
  htmlMaxRows: setting(
    'svc.reports.html-max-rows',
    integerValue({ min: 1 }).default(50_000),
    'Greatest number of rows, of all bands together, in HTML, PDF, DOCX and text output',
  ),
  template: {
    /** Processor time of a template of HTML or text; it is used in slices, so that others are served meanwhile. */
    maxRenderMs: 5_000,
    /** Length of the text that a template of HTML or text creates: no browser or converter reads more. */
    maxOutputLength: 64 * 1024 * 1024,
  },
  xlsxMaxRows: setting(
    'svc.reports.xlsx-max-rows',
    integerValue({ min: 1 }).default(200_000),
    'Greatest number of rows, of all bands together, in a workbook that is not streamed',
  ),
  csvFormulaGuard: setting(
    'svc.reports.csv-formula-guard',
    booleanValue().default(false),
    "Whether CSV output prefixes `'` to texts that begin with `=`, `+`, `-`, `@`, the wide form of one of these, a tab or a line end",
  ),
  maxRows: setting(
    'svc.reports.max-rows',
    integerValue({ min: 1 }).default(2_000_000),
    'Greatest number of rows of one run, of all bands together',
  ),
  remote: {
    allowedHosts: setting(
      'svc.reports.remote-allowed-hosts',
      listValue().default([]),
      'Hosts that reports may read documents from: `api.example.com`, `*.example.com`, with a port where it is not the usual one',
    ),
    /** Longest wait for a document of another server: a run with several must end within its own timeout. */
    timeoutMs: 10_000,
    /** Size of a document of another server; it is in memory as a whole. */
    maxBytes: 10 * 1024 * 1024,
    allowInsecurePrivateAddresses: setting(
      'svc.reports.allow-insecure-private-addresses',
      booleanValue().default(false),
      'Whether allowed hosts may be at private addresses; only if nothing there trusts the caller',
    ),
  },
  converters: converterSettings,
  /** Size of the file of a picture: larger than what a page can show. */
  maxFileBytes: 10 * 1024 * 1024,
  putEmptyRow: setting(
    'svc.reports.put-empty-row-if-no-data-selected',
    booleanValue().default(true),
    'Whether a band without data has one empty row',
  ),
});

export type ReportsConfig = SettingsOf<typeof shape>;

/** What is insecure in these settings where others than this machine can reach the service. */
export const safetyOf = ({ gatewayHost, host }: ReportsConfig): ServiceSafety => ({
  hosts: [gatewayHost, host],
  insecure: [],
});

/** The settings of the reports service. */
export const settings = safeSettings(shape, safetyOf);

/** With those of the backends that the service needs as a process of its own. */
export const processSettings = defineSettings({ ...settings, backends: backendSettings });
