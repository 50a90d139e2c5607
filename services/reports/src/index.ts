export { createReportsService, type ReportsPorts, type ReportsService } from './app.ts';
export { createRunStore } from './background/create-run-store.ts';
export { createHttpDocumentStore } from './background/http-document-store.ts';
export { type ReportsConfig, settings } from './config.ts';
export type { DatasetClient, RunToken } from './datasets/dataset-client.ts';
export { createHttpDatasetClient, type HttpDatasetClient } from './datasets/http-dataset-client.ts';
export { createServiceTokenSource, type ServiceTokenSource } from './datasets/service-tokens.ts';
export { createOutsideReader, type OutsideReader } from './outside/fetch-document.ts';
