import type { QueryLimits } from '@lintel/query';
import type { RequestLimitConfig } from './request-limit-settings.ts';

/** The limits of one request of a caller: `svc.rest.limits.*`, raised by the caller's roles. */
export type RequestLimits = QueryLimits & Readonly<Omit<RequestLimitConfig, 'role'>>;

/** The limits of callers, by their resource roles. */
export type LimitsOf = (caller: { readonly resourceRoles: readonly string[] }) => RequestLimits;

type RoleLimits = RequestLimitConfig['role'][string];

const MEMBERS = {
  'list-values': 'listValues',
  'batch-items': 'batchItems',
  'graph-nodes': 'graphNodes',
} as const satisfies Record<keyof RoleLimits, Exclude<keyof RequestLimits, 'key'>>;

/**
 * Returns the function that finds a caller's limits. A role raises a limit and never lowers it; of several roles the
 * highest counts. The same object is returned for all callers whose roles raise nothing.
 */
export function createRequestLimits(config: RequestLimitConfig): LimitsOf {
  const { role, ...general } = config;
  const base: RequestLimits = Object.freeze({ ...general, key: '' });
  const raised = new Map(Object.entries(role));
  if (raised.size === 0) return () => base;
  const known = new Map<string, RequestLimits>();
  return ({ resourceRoles }) => {
    const codes = resourceRoles.filter((code) => raised.has(code));
    if (codes.length === 0) return base;
    const name = JSON.stringify(codes);
    const found = known.get(name);
    if (found !== undefined) return found;
    const limits = keyed(codes.flatMap((code) => raised.get(code) ?? []).reduce(raise, base));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(name, limits);
    return limits;
  };
}

/** Sets of roles are few. */
const MAX_REMEMBERED = 1_000;

const keyed = (limits: RequestLimits): RequestLimits =>
  Object.freeze({ ...limits, key: JSON.stringify(Object.values(MEMBERS).map((name) => limits[name])) });

function raise(limits: RequestLimits, role: RoleLimits): RequestLimits {
  const higher = (Object.keys(MEMBERS) as (keyof RoleLimits)[]).flatMap((member) => {
    const name = MEMBERS[member];
    const value = role[member];
    return value === undefined || value <= limits[name] ? [] : [[name, value] as const];
  });
  return { ...limits, ...Object.fromEntries(higher) };
}
