import { ConfigurationError } from '@lintel/config';
import type { AuthConfig } from '../config.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { AuthPorts } from '../ports.ts';
import type { LoginStore } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { createExternalTokens, type ExternalTokens } from './resource-server/external-tokens.ts';
import { createExternalVerifier } from './resource-server/external-verifier.ts';
import { createFederatedUsers, type FederatedUsersDeps } from './users/federated-users.ts';

/** What identity providers add to the service. */
export interface Federation {
  /** Undefined without `svc.resource-server.issuer`. */
  readonly external: ExternalTokens | undefined;
  /** Removes records of logins that have ended. */
  purgeExpired(): Promise<void>;
}

export interface FederationDeps extends Omit<FederatedUsersDeps, 'sessions'> {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly logins: LoginStore;
  readonly sessions: SessionService;
  readonly signer: TokenSigner;
}

/** @throws ConfigurationError if the login of the database may not create users */
export async function createFederation(deps: FederationDeps): Promise<Federation> {
  const { config, ports, database } = deps;
  const { issuer, ...others } = config.resourceServer;
  if (issuer !== undefined) await assertPrivileges(deps);
  const users = createFederatedUsers(deps);
  const resourceServer = issuer === undefined ? undefined : { ...others, issuer };
  return {
    external:
      resourceServer === undefined
        ? undefined
        : createExternalTokens({
            ...deps,
            users,
            verifier: createExternalVerifier(resourceServer, ports.clock),
            recordSeen: (sessionId, nowMs) => ports.sessions.recordSeen(sessionId, nowMs),
            clock: ports.clock,
            config: resourceServer,
            apiScope: config.platform.apiScope,
            secret: config.keyEncryptionSecret,
          }),
    async purgeExpired() {
      const text = `DELETE FROM auth.federated_login WHERE expires_at < now() - interval '1 day'`;
      await database.query({ text, values: [] });
    },
  };
}

async function assertPrivileges({ database }: Pick<FederationDeps, 'database'>): Promise<void> {
  const [row] = await database.query<{ readonly may: boolean }>({
    text: `SELECT has_function_privilege('sec.follow_federated_roles(text, text, text[], text[])', 'EXECUTE') AS may`,
    values: [],
  });
  if (row?.may !== true)
    throw new ConfigurationError([
      'svc.datasource.url: identity providers are configured, so the login of auth must be in the role lintel_federation, which may create users and assign roles (GRANT lintel_federation TO …)',
    ]);
}
