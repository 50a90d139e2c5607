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
}
