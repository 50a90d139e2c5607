import type { Logger, SecurityLog } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import type { TokenEndpointGrantContext } from 'oidc-provider';
import type { AccountDirectory } from '../../accounts/account.ts';
import type { LoginCheck } from '../../accounts/login-check.ts';
import type { TokenSigner } from '../../keys/sign-token.ts';
import type { Clock } from '../../ports.ts';
import type { SessionKeeper } from '../../sessions/session-keeper.ts';
import type { TokenRequestFacts } from '../replayed-request.ts';
import type { GrantStore } from '../storage/grant-store.ts';

/** What the grants need. */
export interface TokenGrantDeps {
  readonly provider: Provider;
  readonly accounts: AccountDirectory;
  readonly sessions: SessionKeeper;
  readonly checkLogin: LoginCheck;
  readonly grants: GrantStore;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly security: SecurityLog;
}

/** One token request, its client authenticated and its grant allowed. */
export interface GrantRequest extends TokenRequestFacts {
  readonly context: TokenEndpointGrantContext;
  param(name: string): string | undefined;
}

/** Answers a token request with the JSON text of the answer. */
export type TokenGrant = (request: GrantRequest, deps: TokenGrantDeps) => Promise<string>;
