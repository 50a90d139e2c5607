import type { KeyValueStore } from '@lintel/cache';
import type { AccessClaims, ExchangeResponse, LoginRecord } from '@lintel/contracts';
import type { AssignedRoles, Database, StoredAccount } from '@lintel/persistence';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';

/** Ports that the service supplies. */
export interface FederationPorts {
  /** Reads schema `sec`, and has the tables `federated_*` of schema `auth`. */
  readonly database: Database;
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete' | 'increment'>;
  readonly clock: Clock;
  /** New random UUIDs. */
  readonly ids: { next(): string };
  readonly logger: Logger;
  readonly security: SecurityLog;
  readonly cipher: TextCipher;
  readonly accounts: AccountDirectory;
  readonly sessions: FederatedSessions;
  /** Attempts of users to log in, which they see. */
  readonly history: {
    note(attempt: Omit<LoginRecord, 'at'> & { readonly username: string; readonly provider: string }): void;
  };
  readonly signer: {
    sign(claims: SessionClaims, expiresAt: number): Promise<Pick<ExchangeResponse, 'jwt' | 'expiresAt'>>;
  };
  /** Public address of the gateway. */
  readonly publicUrl: string;
  /** `svc.authserver.scope` */
  readonly apiScope: string;
  /** The same in all replicas. */
  readonly secret: string;
  /** How long a login is kept: as long as tokens and browser sessions that began with it may live. */
  readonly loginLifeMs: number;
  /** @throws ConfigurationError if the login of the database may not create users and assign roles */
  assertMayCreateUsers(): Promise<void>;
}

/** Encrypts what browsers and tables keep of logins. */
export interface TextCipher {
  encrypt(text: string, context: string): Buffer;
  /** Undefined if the text was encrypted by another key or for another context, or was changed. */
  decrypt(encrypted: Buffer, context: string): string | undefined;
}

export interface AccountDirectory {
  find(username: string): Promise<StoredAccount | undefined>;
  /** Names of users that equal a name without case: at most two, the equal one first. */
  namesLike(username: string): Promise<readonly string[]>;
  /** Role codes assigned to a name, whether or not a user of that name exists. */
  rolesOf(username: string): Promise<AssignedRoles>;
}

/** The sessions of users, and what began with logins at providers. */
export interface FederatedSessions {
  /** Applies the current state of a user to its sessions. */
  follow(username: string): Promise<void>;
  endGrant(grantId: string): Promise<void>;
  endBrowserSession(uid: string): Promise<void>;
  /** Opens a session that stands for the tokens of another issuer. */
  open(
    account: StoredAccount,
    session: { readonly sessionId: string; readonly clientId: string; readonly lifeMs: number },
  ): Promise<unknown>;
  find(sessionId: string): Promise<{ readonly username: string; end(): Promise<void> } | undefined>;
  /** The session in the current state of its user; undefined if it has ended. */
  resume(sessionId: string): Promise<{ readonly username: string } | undefined>;
  recordSeen(sessionId: string, nowMs: number): Promise<void>;
}

type SessionClaims = Pick<AccessClaims, 'sub' | 'client_id' | 'sid' | 'scope' | 'acr' | 'auth_time'> & {
  readonly aud: string;
};
