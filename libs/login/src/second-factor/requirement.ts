import { ACR_ONE_FACTOR, ACR_TWO_FACTORS, type Acr, isAcr } from '@lintel/contracts';
import type { Account } from '../login-ports.ts';
import type { FactorStore } from './factors/factor-store.ts';

/** Method of a login at an OpenID provider. */
export const FEDERATED = 'fed';

/** One login, for which the needed `acr` is determined. */
export interface RequirementFacts {
  readonly account: Pick<Account, 'id' | 'resourceRoles'>;
  /** `required-acr` of the client. */
  readonly clientAcr: Acr | undefined;
  /** `acr_values` of the request, the preferred one first. */
  readonly acrValues: readonly string[];
  /** Methods of the first factor. */
  readonly methods: readonly string[];
}

/** The weakest `acr` that is enough for a login. */
export type RequiredAcr = (facts: RequirementFacts) => Promise<Acr>;

export interface RequirementDeps {
  readonly factors: Pick<FactorStore, 'hasAny'>;
  /** `svc.auth.second-factor.roles` */
  readonly roles: readonly string[];
  /** `svc.auth.second-factor.after-provider-login` */
  readonly afterProviderLogin: boolean;
}

/**
 * A second factor is needed if the client requires it, the request prefers it, a role of the user requires it, or the
 * user has one. The last two do not apply to logins at a provider, unless the configuration says so.
 */
export function createRequirement({ factors, roles, afterProviderLogin }: RequirementDeps): RequiredAcr {
  const isOfRole = (role: string): boolean => roles.includes(role);
  return async ({ account, clientAcr, acrValues, methods }) => {
    if (clientAcr === ACR_TWO_FACTORS || acrValues.find(isAcr) === ACR_TWO_FACTORS) return ACR_TWO_FACTORS;
    if (methods.includes(FEDERATED) && !afterProviderLogin) return ACR_ONE_FACTOR;
    if (isOfRole('*') || account.resourceRoles.some(isOfRole)) return ACR_TWO_FACTORS;
    return (await factors.hasAny(account.id)) ? ACR_TWO_FACTORS : ACR_ONE_FACTOR;
  };
}
