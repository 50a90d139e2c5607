import { createServiceClient, type ServiceClient } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { ReportsServer } from './delivery-job.ts';

const TIMEOUT_MS = 30_000;

/** Calls the reports service. Its addresses are read with the first call: in one process it starts later. */
export function createHttpReports(urls: () => readonly string[], metrics?: Metrics): ReportsServer {
  let client: ServiceClient | undefined;
  return {
    sendJson(path, call) {
      client ??= createServiceClient(urls(), { service: 'reports', timeoutMs: TIMEOUT_MS, metrics });
      return client.sendJson(path, call);
    },
  };
}
