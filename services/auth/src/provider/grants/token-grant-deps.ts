import type { KeyValueStore } from '@lintel/cache';
import type { LoginCheck, LoginHistory, LoginRecords, RequiredAcr } from '@lintel/login';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import type { TokenEndpointGrantContext } from 'oidc-provider';
import type { Account, AccountDirectory } from '../../accounts/account.ts';
import type { TokenSigner } from '../../keys/sign-token.ts';
import type { Clock } from '../../ports.ts';
import type { SessionService } from '../../sessions/session-service.ts';
import type { TokenRequestFacts } from '../replayed-request.ts';
import type { GrantStore } from '../storage/grant-store.ts';

/** Dependencies of the grants. */
export interface TokenGrantDeps {
  readonly provider: Provider;
  readonly accounts: AccountDirectory;
  readonly sessions: SessionService;
  readonly hasPasswordGrant: boolean;
  readonly checkLogin: LoginCheck;
  readonly records: LoginRecords;
  readonly grants: GrantStore;
  readonly requiredAcr: RequiredAcr;
  /** Whether the user must choose a new password before a login. */
  readonly isPasswordChangeRequired: (account: Account) => Promise<boolean>;
  readonly signer: TokenSigner;
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete' | 'increment'>;
  /** `svc.authserver.refresh-token-reuse-interval` */
  readonly reuseIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly security: SecurityLog;
  readonly history: Pick<LoginHistory, 'note'>;
  /** Connects a grant with a login in a directory; false if the login has ended. */
  readonly bindLogin: (grantId: string, browserSession: undefined, loginId: string) => Promise<boolean>;
  /** Whether the identity provider of a grant confirms a refresh. */
  readonly mayRefresh: (grantId: string) => Promise<boolean>;
}

/** A token request whose client is authenticated and whose grant is allowed. */
export interface GrantRequest extends TokenRequestFacts {
  readonly context: TokenEndpointGrantContext;
  param(name: string): string | undefined;
}

/** Handles a token request and returns the JSON text of the response. */
export type TokenGrant = (request: GrantRequest, deps: TokenGrantDeps) => Promise<string>;
