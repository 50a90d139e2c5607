import type { IgnoredPart } from '@lintel/contracts';
import type { DocumentConverters, RemoteReader, RenderLimits } from '@lintel/documents';
import type { Messages, Model } from '@lintel/metadata';
import type { TimeReading } from '@lintel/query';
import type { Access } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { DatasetClient } from '../../datasets/dataset-client.ts';
import type { ServiceTokenSource } from '../../datasets/service-tokens.ts';
import type { LoadedReport } from '../../definitions/report-catalogue.ts';
import type { DocumentStore } from '../../files/document-store.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { ExecutionHistory } from '../../history/execution-history.ts';
import type { TemplateMemory } from '../../limits/template-memory.ts';
import type { RunMetrics } from '../run-metrics.ts';

/** Input of a run, with or without a client that waits. */
export interface RunInput {
  /** The tokens by which the service acts for the caller are bound to it. */
  readonly runId: string;
  readonly report: LoadedReport;
  /** The id or code in the path; part of errors. */
  readonly reportInPath: string;
  /** Body of the request. */
  readonly body: string;
  /** The caller's JWT, or the token of a run in the background, for which data are read. */
  readonly subjectToken: string;
  readonly username: string;
  /** Of the user, or of the server. */
  readonly timeZone: string;
  readonly access: Pick<Access, 'allows' | 'hasSpecific'>;
  /** Underscore form. */
  readonly locale: string;
  /** Aborts when the client disconnects or the run exceeds its time limit. */
  readonly signal: AbortSignal;
  /** Refuses or reports names of the body that the report does not have, and what else has no effect; absent for a run that was accepted before. */
  readonly checkNames?: CheckNames | undefined;
}

/** With a `part`, the names are of parameters of whose values this part has no effect. */
export type CheckNames = (names: readonly string[], known: readonly string[], part?: IgnoredPart) => void;

/** Ports of the stages of a run. */
export interface RunPorts {
  readonly model: Model;
  /** Returns the current texts. */
  readonly currentMessages: () => Messages;
  readonly datasets: DatasetClient;
  readonly remote: RemoteReader;
  readonly serviceTokens: ServiceTokenSource;
  readonly clock: Clock;
  readonly limits: RenderLimits;
  readonly templateMemory: TemplateMemory;
  readonly converters: DocumentConverters;
  readonly files: FileReader;
  /** `svc.rest.date-time-offset` */
  readonly dateTimeOffset?: TimeReading['offsets'];
  /** `svc.reports.put-empty-row-if-no-data-selected` */
  readonly putEmptyRow: boolean;
  /** `svc.reports.max-rows` */
  readonly maxRows: number;
  readonly history: ExecutionHistory;
  /** Stores documents of executions, where the history saves them. */
  readonly documents: Pick<DocumentStore, 'store'> | undefined;
  readonly measured: RunMetrics;
  readonly logger: Pick<Logger, 'warn'>;
}
