export { createReportsService, type ReportsPorts, type ReportsService } from './app.ts';
export { createRunStore } from './background/create-run-store.ts';
export { createHttpDocumentStore } from './background/http-document-store.ts';
export { type ReportsConfig, settings } from './config.ts';
export type { DatasetClient, RunToken } from './datasets/dataset-client.ts';
export { createHttpDatasetClient, type HttpDatasetClient } from './datasets/http-dataset-client.ts';
export { createServiceTokenSource, type ServiceTokenSource } from './datasets/service-tokens.ts';
export { storedReportReader } from './definitions/stored-reports.ts';
export { createHttpFileReader, type HttpFileReader } from './files/http-file-reader.ts';
export { createExecutionHistory } from './history/create-execution-history.ts';
export { openClients, type ReportClients } from './open-clients.ts';
export {
  createRemoteReader,
  type RemoteReader,
} from './remote-documents/fetch-document.ts';
export { createConverters } from './rendering/converting/create-converters.ts';
export type { DocumentConverters } from './rendering/converting/document-converters.ts';
