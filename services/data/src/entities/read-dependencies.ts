import type { Principal } from '@lintel/contracts';
import type { RequestContext } from '@lintel/http';
import type { Model } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import type { ReadAccess } from '@lintel/query';
import type { Request, Response } from 'express';

/** What a caller may read, and the values that row conditions refer to. */
export interface CallerAccess {
  readonly read: ReadAccess;
  /** Value of a row condition's parameter (`current_user_country`); undefined where there is none. */
  readonly sessionValue: (name: string) => unknown;
}

/** Limits of reading, from the service's configuration. */
export interface ReadLimits {
  /** Greatest `limit` of an entity, and the one that holds where none is given. */
  maxFetchSize(entityName: string): number;
  /** `svc.rest.inline-fetch-plan-enabled`. */
  readonly inlineFetchPlansEnabled: boolean;
  /** Greatest size of a search body. */
  readonly maxBodyBytes: number;
}

/** The ports and values that reading needs. */
export interface ReadDependencies {
  readonly database: Database;
  /** The model of this moment; each request reads it once. */
  readonly currentModel: () => Model;
  /** Decides what a caller may read; see `createAccessSource` in `load-access.ts`. */
  readonly loadAccess: (principal: Principal) => CallerAccess;
  readonly limits: ReadLimits;
  /** `contextOf` of `@lintel/http`. */
  readonly contextOf: (request: Request, response: Response) => RequestContext;
}
