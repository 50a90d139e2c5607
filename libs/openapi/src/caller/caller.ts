import type { RouteRights } from '@lintel/contracts';
import type { ReadAccess } from '@lintel/query';
import type { Access } from '@lintel/security';

/** The caller whom a document is for. */
export interface DocumentCaller {
  readonly access: Access;
  /** With the row-level policies, which decide which queries may be run. */
  readonly read: ReadAccess;
  /** Whether requests to a path pass the checks of the token and of the right to use the API. */
  readonly mayUse: RouteRights['mayUse'];
  /** Names of the jobs, which have permissions of their own. */
  readonly jobs?: readonly string[] | undefined;
}
