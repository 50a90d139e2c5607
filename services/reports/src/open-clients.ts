import { createConverters, createRemoteReader, type DocumentConverters, type RemoteReader } from '@lintel/documents';
import type { ServiceContext } from '@lintel/service';
import type { DocumentStore } from './background/document-store.ts';
import { createHttpDocumentStore } from './background/http-document-store.ts';
import type { ReportsConfig } from './config.ts';
import { type CopyPorts, createReportWriter } from './copies/report-writer.ts';
import type { DatasetClient } from './datasets/dataset-client.ts';
import { createHttpDatasetClient } from './datasets/http-dataset-client.ts';
import { createServiceTokenSource, type ServiceTokenSource } from './datasets/service-tokens.ts';
import type { FileReader } from './files/file-reader.ts';
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

/** Nothing is connected or started before a run needs it. */
export function openClients({
  config,
  logger,
  clock,
  own,
  metrics,
}: Pick<ServiceContext<ReportsConfig>, 'config' | 'logger' | 'clock' | 'own' | 'metrics'>): ReportClients {
  const { platform, filesInternalUrl, dataInternalUrls, dataSilenceMs } = config;
  const { internalSecret, authInternalUrls } = platform;
  const files = own(
    createHttpFileReader({
      filesInternalUrl,
      timeoutMs: config.filesTimeoutMs,
      maxBytes: config.maxFileBytes,
      metrics,
    }),
  );
  const documents = own(
    createHttpDocumentStore({ filesInternalUrl, internalSecret, timeoutMs: dataSilenceMs, metrics }),
  );
  const remote = own(createRemoteReader(config.remote, metrics));
  const datasets = own(createHttpDatasetClient({ dataInternalUrls, silenceMs: dataSilenceMs, metrics }));
  const converters = own(createConverters(config.converters, { readRemote: remote.read, logger }));
  const serviceTokens = createServiceTokenSource({
    authInternalUrls,
    secret: internalSecret,
    clock,
    timeoutMs: config.authTimeoutMs,
    metrics,
  });
  const { write: writeReport } = own(createReportWriter(dataInternalUrls, dataSilenceMs, metrics));
  const copies = { documents, writeReport };
  return { files, documents, remote, datasets, converters, serviceTokens, copies };
}
