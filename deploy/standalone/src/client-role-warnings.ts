import type { AuthConfig } from '@lintel/auth';
import { suggestion } from '@lintel/errors';
import type { RoleRegistry } from '@lintel/security';

/** Roles of OAuth clients that do not exist, one sentence each: such a role gives no rights. */
export const clientRoleWarnings = (
  clients: AuthConfig['clients'],
  { resourceRoles, rowRoles }: Pick<RoleRegistry, 'resourceRoles' | 'rowRoles'>,
): readonly string[] =>
  Object.entries(clients).flatMap(([name, client]) => [
    ...unknown(`${name}.resource-roles`, 'role', client['resource-roles'], resourceRoles),
    ...unknown(`${name}.row-level-roles`, 'row-level role', client['row-level-roles'], rowRoles),
  ]);

const unknown = (
  property: string,
  kind: string,
  codes: readonly string[],
  known: ReadonlyMap<string, unknown>,
): readonly string[] =>
  codes
    .filter((code) => !known.has(code))
    .map((code) => `svc.authserver.client.${property}: there is no ${kind} ${code}${suggestion(code, known.keys())}`);
