import type { Acr } from '@lintel/contracts';
import type { EntityAction } from '../roles/role.ts';

/**
 * What a caller may do, decided from roles: the OR of all policies of all applicable roles
 * (contract/roles.md#combination).
 */
export interface Access {
  /** Equal for callers with equal rights. */
  readonly fingerprint: string;
  /** Whether a role grants the action on the entity. */
  allows(entity: string, action: EntityAction): boolean;
  /** Whether responses show the attribute; an attribute that may be changed may be viewed. */
  mayView(entity: string, attribute: string): boolean;
  /** Whether requests may write the attribute. */
  mayModify(entity: string, attribute: string): boolean;
  /** Whether a role grants the specific permission. */
  hasSpecific(name: string): boolean;
  /** Set if policies of the caller need a stronger login than the caller has (contract/roles.md#step-up). */
  readonly afterLogin?: AccessAfterLogin | undefined;
}

/** What a caller may do after a stronger login; that access may have one for an even stronger login. */
export interface AccessAfterLogin {
  /** The strength of the login. */
  readonly acr: Acr;
  /** What the caller may do with it. */
  readonly access: Access;
}
