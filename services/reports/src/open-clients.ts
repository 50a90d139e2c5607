import { createConverters, createRemoteReader, type DocumentConverters, type RemoteReader } from '@lintel/documents';
import type { ServiceContext } from '@lintel/service';
import type { ReportsConfig } from './config.ts';
import { type CopyPorts, createReportWriter } from './copies/report-writer.ts';
import type { DatasetClient } from './datasets/dataset-client.ts';
import { createHttpDatasetClient } from './datasets/http-dataset-client.ts';
import { createServiceTokenSource, type ServiceTokenSource } from './datasets/service-tokens.ts';
import type { DocumentStore } from './files/document-store.ts';
import type { FileReader } from './files/file-reader.ts';
import { createHttpDocumentStore } from './files/http-document-store.ts';
import { createHttpFileReader } from './files/http-file-reader.ts';

/** Other services, other servers and the programs that convert documents. */
export interface ReportClients {
  readonly files: FileReader;
  readonly documents: DocumentStore;
  readonly remote: RemoteReader;
  readonly datasets: DatasetClient;
  readonly converters: DocumentConverters;
  readonly serviceTokens: ServiceTokenSource;
  readonly copies: CopyPorts;
}

/** Of the data service, which runs one statement at most a minute. */
const DATA_SILENCE_MS = 60_000;
/** A picture that has not arrived by then would not arrive. */
const FILES_TIMEOUT_MS = 10_000;
/** A token of the service is computed in milliseconds. */
const AUTH_TIMEOUT_MS = 5_000;

/** Nothing is connected or started before a run needs it. */
export function openClients({
  config,
  logger,
  clock,
  own,
  metrics,
}: Pick<ServiceContext<ReportsConfig>, 'config' | 'logger' | 'clock' | 'own' | 'metrics'>): ReportClients {
  const { platform, filesInternalUrl, dataInternalUrls } = config;
  const { internalSecret, authInternalUrls } = platform;
  const files = own(
    createHttpFileReader({
      filesInternalUrl,
      timeoutMs: FILES_TIMEOUT_MS,
      maxBytes: config.maxFileBytes,
      metrics,
    }),
  );
  const documents = own(
    createHttpDocumentStore({ filesInternalUrl, internalSecret, timeoutMs: DATA_SILENCE_MS, metrics }),
  );
  const remote = own(createRemoteReader(config.remote, metrics));
  const datasets = own(createHttpDatasetClient({ dataInternalUrls, silenceMs: DATA_SILENCE_MS, metrics }));
  const converters = own(createConverters(config.converters, { readRemote: remote.read, logger }));
  const serviceTokens = createServiceTokenSource({
    authInternalUrls,
    secret: internalSecret,
    clock,
    timeoutMs: AUTH_TIMEOUT_MS,
    metrics,
  });
  const { write: writeReport } = own(createReportWriter(dataInternalUrls, DATA_SILENCE_MS, metrics));
  const copies = { documents, writeReport };
  return { files, documents, remote, datasets, converters, serviceTokens, copies };
}
