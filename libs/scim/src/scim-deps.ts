import type { Database } from '@lintel/persistence';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { GroupStore } from './groups/group-store.ts';
import type { RoleTable } from './groups/role-table.ts';
import type { UserStore } from './users/user-store.ts';

/** Dependencies of the operations. */
export interface ScimDeps {
  readonly database: Database;
  readonly users: UserStore;
  readonly groups: GroupStore;
  readonly roles: RoleTable;
  readonly ids: { next(): string };
  readonly security: SecurityLog;
  readonly logger: Logger;
  /** `svc.scim.delete=remove` */
  readonly removesUsers: boolean;
  /** Updates or ends the sessions of users at once; those of many users follow the events of the changes. */
  readonly followSessions: (usernames: readonly string[]) => Promise<void>;
}
