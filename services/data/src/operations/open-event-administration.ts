import { createAmqpAdministration, type EventAdministration } from '@lintel/events';

/** The queues that the processes of a service share, by service. */
const QUEUES = {
  auth: ['auth.sessions', 'auth.security', 'auth.api-keys'],
  data: ['webhooks'],
  reports: ['runs'],
} as const;
const SERVICES = ['auth', 'data', 'files', 'gateway', 'reports'];
const TIMEOUT_MS = 10_000;

/** @param urls `svc.broker.urls` */
export const openEventAdministration = (urls: readonly string[]): EventAdministration =>
  createAmqpAdministration({ urls, services: SERVICES, queues: QUEUES, timeoutMs: TIMEOUT_MS });
