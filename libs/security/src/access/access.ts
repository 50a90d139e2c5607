import type { Acr } from '@lintel/contracts';
import type { EntityAction } from '../roles/role.ts';

/**
 * What a caller may do, decided from roles: the OR of all policies of all applicable roles
 * (contract/roles.md#combination).
 */
export interface Access {
  /** Equal for callers with equal rights. */
  readonly fingerprint: string;
  allows(entity: string, action: EntityAction): boolean;
  mayView(entity: string, attribute: string): boolean;
  mayModify(entity: string, attribute: string): boolean;
  hasSpecific(name: string): boolean;
  /** Set if policies of the caller need a stronger login than the caller has (contract/roles.md#step-up). */
  readonly afterLogin?: AccessAfterLogin | undefined;
}

/** What a caller may do after a stronger login; that access may have one for an even stronger login. */
export interface AccessAfterLogin {
  readonly acr: Acr;
  readonly access: Access;
}
