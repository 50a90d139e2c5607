export { type CallMetrics, createCallMetrics } from './call-metrics.ts';
export { createExternalClient } from './external-client.ts';
export type { HttpResponse } from './open-connections.ts';
export { createServiceClient, type JsonResponse, type ServiceCall, type ServiceClient } from './service-client.ts';
export { hasBlockedPort } from './ssrf-guard/blocked-ports.ts';
export { isPrivateAddress } from './ssrf-guard/private-addresses.ts';
export { AddressRefusedError } from './ssrf-guard/public-lookup.ts';
