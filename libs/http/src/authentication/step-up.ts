import { type Acr, createUrlGuard, isAcr, type Principal } from '@lintel/contracts';
import { insufficientAuthentication } from '@lintel/errors';
import { isSufficient } from './is-sufficient.ts';

/** One rule of `svc.security.step-up.<name>`. */
export interface StepUpRule {
  readonly 'url-patterns': readonly string[];
  /** Empty: all. */
  readonly methods: readonly string[];
  /** Empty: all users. */
  readonly 'resource-roles': readonly string[];
  readonly 'required-acr': string;
  readonly 'max-age'?: number | undefined;
}

/** A request whose caller is known. */
export interface StepUpRequest {
  readonly method: string;
  /** The whole path, with or without the query. */
  readonly path: string;
  readonly caller: Pick<Principal, 'kind' | 'acr' | 'authTime' | 'resourceRoles'>;
}

/** @throws PlatformError AUTH_STEP_UP_REQUIRED if the login of the user is not enough for the request */
export type StepUp = (request: StepUpRequest) => void;

/**
 * Checks requests against rules. They concern users and calls without a token; clients have no login that could become
 * stronger.
 */
export function createStepUp(rules: readonly StepUpRule[], nowMs: () => number = Date.now): StepUp {
  const checks = rules.map((rule) => {
    const acr: Acr | undefined = isAcr(rule['required-acr']) ? rule['required-acr'] : undefined;
    const maxAgeMs = rule['max-age'];
    const needed = { acr, maxAgeSeconds: maxAgeMs === undefined ? undefined : Math.floor(maxAgeMs / 1_000) };
    const isGuarded = createUrlGuard(rule['url-patterns']);
    const { methods, 'resource-roles': roles } = rule;
    // HEAD runs the same read as GET (RFC 9110 §9.3.2).
    const isNamed = (method: string): boolean =>
      methods.length === 0 || methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));
    return ({ method, path, caller }: StepUpRequest): void => {
      const isMeant =
        isNamed(method) &&
        (roles.length === 0 || roles.some((role) => caller.resourceRoles.includes(role))) &&
        isGuarded(path);
      if (isMeant && !isSufficient(caller, needed, nowMs())) throw insufficientAuthentication(needed);
    };
  });
  return (request) => {
    if (request.caller.kind === 'client') return;
    for (const check of checks) check(request);
  };
}
