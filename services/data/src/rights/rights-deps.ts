import type { Application, UserAttributeReader } from '@lintel/application';
import type { Database } from '@lintel/persistence';
import type { ReadDependencies } from '@lintel/reading';
import type { AccessOf, RoleRegistry } from '@lintel/security';
import type { SecurityLog } from '@lintel/telemetry';
import type { AuthAdministration } from '../identity/auth-administration.ts';

/** What the routes of roles and rights need. */
export interface RightsDeps {
  /** Prefix below the router: `/rights`. */
  readonly path: string;
  readonly application: Pick<Application, 'resourceRoles' | 'rowRoles' | 'jobs' | 'events'>;
  /** Reads users and stored roles. */
  readonly database: Pick<Database, 'query'>;
  readonly currentRoles: () => RoleRegistry;
  readonly accessOf: AccessOf;
  readonly read: ReadDependencies;
  readonly readUserAttributes: UserAttributeReader;
  readonly auth: AuthAdministration;
  readonly security: SecurityLog;
}
