import { normalKey } from '../key-names.ts';

const CONSTANT = 'it is a constant now; remove it';
const ONE_TIMEOUT = 'use svc.gateway.upstream-timeout, which is the same for all services but auth';

/** Properties that there were, with what to do. */
const FORMER_KEYS: Readonly<Record<string, string>> = {
  'svc.datasource.slow-query-plan-interval': CONSTANT,
  'svc.gateway.auth-timeout': CONSTANT,
  'svc.gateway.connect-timeout': CONSTANT,
  'svc.gateway.data-timeout': ONE_TIMEOUT,
  'svc.gateway.files-timeout': ONE_TIMEOUT,
  'svc.gateway.health-timeout': CONSTANT,
  'svc.gateway.max-incomplete-bodies': CONSTANT,
  'svc.gateway.min-body-rate': CONSTANT,
  'svc.gateway.reports-timeout': ONE_TIMEOUT,
  'svc.reports.auth-timeout': CONSTANT,
  'svc.reports.data-timeout': CONSTANT,
  'svc.reports.files-timeout': CONSTANT,
  'svc.rest.idempotency-prune-interval': CONSTANT,
  'svc.webhooks.concurrency': CONSTANT,
  'svc.webhooks.concurrency-per-webhook': CONSTANT,
  'svc.webhooks.max-retry-delay': CONSTANT,
};

const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMER_KEYS).map(([name, advice]) => [normalKey(name), advice]),
);

/** What to do about a property that is no longer there; undefined for one that never was. */
export const adviceOfFormer = (key: string): string | undefined => ADVICE.get(normalKey(key));
