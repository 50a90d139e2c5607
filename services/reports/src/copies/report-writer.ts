import { PlatformError } from '@lintel/errors';
import { createServiceClient, type JsonResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { DocumentStore } from '../files/document-store.ts';

/**
 * Creates a `report_Report` with the service token of a caller, as the entity API does: 201, or its refusal.
 *
 * @throws DATA_UNAVAILABLE
 */
export type ReportWriter = (report: object, token: string, signal: AbortSignal) => Promise<JsonResponse>;

/** What saves a copy. */
export interface CopyPorts {
  readonly documents: DocumentStore;
  readonly writeReport: ReportWriter;
}

/** Creates the writer by `POST /internal/reports` of data. */
export function createReportWriter(dataInternalUrls: readonly string[], timeoutMs: number, metrics?: Metrics) {
  const data = createServiceClient(dataInternalUrls, { service: 'data', timeoutMs, metrics });
  const write: ReportWriter = async (json, token, signal) => {
    try {
      const call = { method: 'POST', token, json, signal } as const;
      const response = await data.sendJson('/internal/reports', call);
      if (response.status < 500) return response;
      throw new Error(`data returned ${response.status}`);
    } catch (cause) {
      throw new PlatformError('DATA_UNAVAILABLE', 'The report cannot be saved now', { cause });
    }
  };
  return { write, close: () => data.close() };
}
